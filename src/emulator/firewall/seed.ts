import { list } from '../decode/shape.ts';
import type { ShapeFields, ValueOf } from '../decode/shape.ts';
import { namedId } from '../environment/clock.ts';
import { textAt } from '../protocol/json.ts';
import type { WireObject } from '../protocol/json.ts';
import { attempt, Refusal, refuse } from '../protocol/refusal.ts';
import type { Zone } from '../records/directory.ts';
import type { Store } from '../store/store.ts';
import { lockdowns } from '../zone-objects/lockdowns.ts';
import { pageRules } from '../zone-objects/page-rules.ts';
import { rateLimits } from '../zone-objects/rate-limits.ts';
import { uaRules } from '../zone-objects/ua-rules.ts';
import type { ObjectFamily } from '../zone-objects/family.ts';
import type { Filter } from '../records/old-records.ts';
import { seededFilter, seededFirewallRule } from './firewall-body.ts';
import { zoneFirewallShape } from './control.ts';
import { filterContent, ruleContent } from './firewall-rules.ts';
import { worldOf } from './world.ts';

/** What a zone of a seed may say about the old firewall families, in the form of answers. */
export const firewallSeedFields = {
  firewall: zoneFirewallShape,
  filters: list(seededFilter),
  firewall_rules: list(seededFirewallRule),
  rate_limits: list(rateLimits.body),
  page_rules: list(pageRules.body),
  lockdowns: list(lockdowns.body),
  ua_rules: list(uaRules.body),
};

/** Stores what a zone of a seed says about the old firewall families; refuses what is not possible. */
export function seedFirewall(
  store: Store,
  zone: Zone,
  raw: ShapeFields<typeof firewallSeedFields>,
  stamp: string,
): void {
  const seeded = raw.firewall === undefined ? zone : { ...zone, firewall: raw.firewall };
  store.zones.set(zone.id, seeded);
  for (const body of raw.filters ?? []) {
    keepFilter(store, zone, body);
  }
  seedRules(store, seeded, raw.firewall_rules ?? []);
  const seededObjects: readonly (readonly [ObjectFamily, readonly WireObject[] | undefined])[] = [
    [rateLimits, raw.rate_limits],
    [pageRules, raw.page_rules],
    [lockdowns, raw.lockdowns],
    [uaRules, raw.ua_rules],
  ];
  for (const [family, bodies = []] of seededObjects) {
    for (const [index, body] of bodies.entries()) {
      seedObject(store, family, { zone, stamp, index, body });
    }
  }
}

function seedRules(store: Store, zone: Zone, rules: readonly ValueOf<typeof seededFirewallRule>[]): void {
  if (rules.length > 0 && worldOf(zone) === 'one_list') {
    const message = 'firewall_rules need "firewall": {"rules": "two_lists"}; else write custom rules';
    throw refuse(400, message);
  }
  for (const [index, body] of rules.entries()) {
    const filter = filterOf(store, zone, body.filter);
    if (filter === undefined) {
      const pointer = `/firewall_rules/${index}/filter`;
      throw refuse(400, 'the seed has no such filter', { pointer });
    }
    const id = body.id ?? namedId('seeded firewall rule', zone.id, String(index));
    store.firewallRules.set(id, { id, zone: zone.id, ...ruleContent(body), filter: filter.id });
  }
}

type FilterSeed = Partial<ValueOf<typeof seededFilter>>;

function filterOf(store: Store, zone: Zone, body: FilterSeed): Filter | undefined {
  const { id, ref } = body;
  const known = store.filters
    .group(zone.id)
    .find((filter) => (id === undefined ? ref !== undefined && filter.ref === ref : filter.id === id));
  return known ?? (body.expression === undefined ? undefined : keepFilter(store, zone, body));
}

function keepFilter(store: Store, zone: Zone, body: FilterSeed): Filter {
  const content = filterContent(body);
  const filter: Filter = {
    id: body.id ?? namedId('seeded filter', zone.id, content.expression),
    zone: zone.id,
    ...content,
    made: body.made_with_rule === true ? 'with_rule' : 'alone',
    otherUses: body.used_elsewhere ?? 0,
  };
  store.filters.set(filter.id, filter);
  return filter;
}

function seedObject(
  store: Store,
  family: ObjectFamily,
  {
    zone,
    stamp,
    index,
    body,
  }: { readonly zone: Zone; readonly stamp: string; readonly index: number; readonly body: WireObject },
): void {
  const id = textAt(body, 'id') ?? namedId('seeded', family.name, zone.id, String(index));
  const owner = { kind: 'zone', id: zone.id, zone } as const;
  const service = { clock: { now: () => Date.parse(stamp) } };
  const filled = attempt(() => family.fill(body, { owner, stamp, service, before: undefined, others: [] }));
  if (filled instanceof Refusal) {
    throw refuse(400, filled.message, { pointer: `/${family.name}/${index}` });
  }
  store.zoneObjects.set(id, { id, zone: zone.id, family: family.name, body: filled });
}
