import type { ZoneScope } from '../call/call.ts';
import { list, opaque } from '../decode/body-shape.ts';
import type { ShapeFields, ValueOf } from '../decode/body-shape.ts';
import { namedId } from '../environment/service-clock.ts';
import { isObject, listAt, textAt } from '../protocol/wire-object.ts';
import { attempt, Refusal, refuse } from '../protocol/refusal.ts';
import type { Zone } from '../records/directory-record.ts';
import type { Store } from '../store/store.ts';
import { bodyOf, groupOf, writeDocument } from '../families/family.ts';
import { lockdowns } from '../families/lockdowns.ts';
import { pageRules } from '../families/page-rules.ts';
import { rateLimits } from '../families/old-rate-limits.ts';
import { uaRules } from '../families/ua-rules.ts';
import type { Filter } from '../records/old-records.ts';
import { seededFilter, seededFirewallRule } from './firewall-body.ts';
import { zoneFirewallShape } from './firewall-control.ts';
import { filterContent, ruleContent } from './firewall-rules.ts';
import { worldOf } from './firewall-worlds.ts';

/** What a zone of a seed may say about the old firewall families, in the form of answers. */
export const firewallSeedFields = {
  firewall: zoneFirewallShape,
  filters: list(seededFilter),
  firewall_rules: list(seededFirewallRule),
  rate_limits: list(bodyOf(rateLimits) ?? opaque),
  page_rules: list(bodyOf(pageRules) ?? opaque),
  lockdowns: list(bodyOf(lockdowns) ?? opaque),
  ua_rules: list(bodyOf(uaRules) ?? opaque),
};

/** Stores what a zone of a seed says about the old firewall families; refuses what is not possible. */
export function seedFirewall(
  store: Store,
  scope: ZoneScope,
  raw: ShapeFields<typeof firewallSeedFields>,
  stamp: string,
): void {
  const { zone } = scope;
  const seeded = raw.firewall === undefined ? zone : { ...zone, firewall: raw.firewall };
  store.zones.set(zone.id, seeded);
  for (const body of raw.filters ?? []) {
    keepFilter(store, zone, body);
  }
  seedRules(store, seeded, raw.firewall_rules ?? []);
  for (const [name, family] of Object.entries(seededFamilies)) {
    for (const [index, body] of listAt(raw, name).filter(isObject).entries()) {
      const id = textAt(body, 'id') ?? namedId('seeded', name, zone.id, String(index));
      const clock = { now: () => Date.parse(stamp) };
      const at = { service: { store, clock, stamp: () => stamp }, scope };
      const document = { group: groupOf(family, at), id };
      const written = attempt(() => writeDocument(family, at, { document, sent: body, before: undefined }));
      if (written instanceof Refusal) {
        throw refuse(400, written.message, { pointer: `/${name}/${index}` });
      }
    }
  }
}

/** The families of which a seed may have objects, by its member. */
const seededFamilies = {
  rate_limits: rateLimits,
  page_rules: pageRules,
  lockdowns,
  ua_rules: uaRules,
} as const;

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
