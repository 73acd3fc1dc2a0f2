import { checkBounds } from '../decode/bounds.ts';
import { list } from '../decode/shape.ts';
import type { Shape } from '../decode/shape.ts';
import { namedId } from '../ids.ts';
import { flagAt, isObject, listAt, numberAt, objectAt, textAt } from '../json.ts';
import type { JsonObject } from '../json.ts';
import { attempt, Refusal, refuse } from '../protocol/refusal.ts';
import type { Zone } from '../store/records.ts';
import type { Store } from '../store/store.ts';
import { objectFamilies } from '../zone-objects/families.ts';
import type { ObjectFamily } from '../zone-objects/family.ts';
import { seededFilter, seededFirewallRule } from './body.ts';
import { readZoneFirewall, zoneFirewallShape } from './control.ts';
import type { Filter } from './firewall-rule.ts';
import { ruleContent } from './rules.ts';
import { worldOf } from './world.ts';

/** What a zone of a seed may say about the old firewall families, all of it as answers show it. */
export const firewallSeedFields: Readonly<Record<string, Shape>> = {
  firewall: zoneFirewallShape,
  filters: list(seededFilter),
  firewall_rules: list(seededFirewallRule),
  ...Object.fromEntries(objectFamilies.map(({ name, body }) => [name, list(body)])),
};

/** Stores what a zone of a seed says about the old firewall families; refuses what cannot be. */
export function seedFirewall(store: Store, zone: Zone, raw: JsonObject, stamp: string): void {
  const said = objectAt(raw, 'firewall');
  const seeded = said === undefined ? zone : { ...zone, firewall: readZoneFirewall(said) };
  store.zones.set(zone.id, seeded);
  for (const body of entries(raw, 'filters')) {
    keepFilter(store, zone, body);
  }
  seedRules(store, seeded, entries(raw, 'firewall_rules'));
  for (const family of objectFamilies) {
    for (const [index, body] of entries(raw, family.name).entries()) {
      seedObject(store, family, { zone, stamp, index, body });
    }
  }
}

function seedRules(store: Store, zone: Zone, rules: readonly JsonObject[]): void {
  if (rules.length > 0 && worldOf(zone) === 'one_list') {
    const message = 'firewall_rules need "firewall": {"rules": "two_lists"}; else write custom rules';
    throw refuse(400, message);
  }
  for (const [index, body] of rules.entries()) {
    checkBounds(seededFirewallRule, body, `/firewall_rules/${index}`);
    const filter = filterOf(store, zone, objectAt(body, 'filter') ?? {});
    if (filter === undefined) {
      const pointer = `/firewall_rules/${index}/filter`;
      throw refuse(400, 'the seed has no such filter', { pointer });
    }
    const id = textAt(body, 'id') ?? namedId('seeded firewall rule', zone.id, String(index));
    store.firewallRules.set(id, { id, zone: zone.id, ...ruleContent(body), filter: filter.id });
  }
}

function filterOf(store: Store, zone: Zone, body: JsonObject): Filter | undefined {
  const id = textAt(body, 'id');
  const ref = textAt(body, 'ref');
  const known = store.filters
    .group(zone.id)
    .find((filter) => (id === undefined ? ref !== undefined && filter.ref === ref : filter.id === id));
  return known ?? (textAt(body, 'expression') === undefined ? undefined : keepFilter(store, zone, body));
}

function keepFilter(store: Store, zone: Zone, body: JsonObject): Filter {
  const expression = textAt(body, 'expression') ?? '';
  const filter: Filter = {
    id: textAt(body, 'id') ?? namedId('seeded filter', zone.id, expression),
    zone: zone.id,
    expression,
    paused: flagAt(body, 'paused') ?? false,
    description: textAt(body, 'description') ?? '',
    ref: textAt(body, 'ref') ?? '',
    made: flagAt(body, 'made_with_rule') === true ? 'with_rule' : 'alone',
    otherUses: numberAt(body, 'used_elsewhere') ?? 0,
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
  }: { readonly zone: Zone; readonly stamp: string; readonly index: number; readonly body: JsonObject },
): void {
  const refused = attempt(() => family.check(body));
  if (refused instanceof Refusal) {
    throw refuse(400, refused.message, { pointer: `/${family.name}/${index}` });
  }
  const id = textAt(body, 'id') ?? namedId('seeded', family.name, zone.id, String(index));
  const filled = family.fill(body, { zone, stamp, before: undefined });
  store.zoneObjects.set(id, { id, zone: zone.id, family: family.name, body: filled });
}

function entries(raw: JsonObject, key: string): readonly JsonObject[] {
  return listAt(raw, key).filter(isObject);
}
