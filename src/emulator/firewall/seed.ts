import { boundsProblem } from '../decode/bounds.ts';
import { list, type Shape } from '../decode/shape.ts';
import { namedId } from '../ids.ts';
import { flagAt, isObject, type JsonObject, listAt, numberAt, objectAt, textAt } from '../json.ts';
import { filledPageRule, pageRuleBody, pageRuleProblem } from '../pagerules/page-rules.ts';
import { type Refusal, refuse, serviceError } from '../protocol/refusal.ts';
import { rateLimitBody } from '../ratelimits/body.ts';
import { filledRateLimit } from '../ratelimits/rate-limits.ts';
import { rateLimitProblem } from '../ratelimits/validation.ts';
import type { Zone } from '../store/records.ts';
import type { Store } from '../store/store.ts';
import type { ObjectFamily } from '../zone-objects.ts';
import { seededFilter, seededFirewallRule } from './body.ts';
import { readZoneFirewall, zoneFirewallShape } from './control.ts';
import type { Filter } from './firewall-rule.ts';
import { lockdowns } from './lockdowns.ts';
import { newObject } from './plain-family.ts';
import { ruleContent } from './rules.ts';
import { uaRules } from './ua-rules.ts';
import { worldOf } from './world.ts';

/** What a zone of a seed may say about the old firewall families, all of it as answers show it. */
export const firewallSeedFields: Readonly<Record<string, Shape>> = {
  firewall: zoneFirewallShape,
  filters: list(seededFilter),
  firewall_rules: list(seededFirewallRule),
  rate_limits: list(rateLimitBody),
  page_rules: list(pageRuleBody),
  lockdowns: list(lockdowns.body),
  ua_rules: list(uaRules.body),
};

/** Stores what a zone of a seed says about the old firewall families; gives the refusal of what cannot be. */
export function seedFirewall(store: Store, zone: Zone, raw: JsonObject, stamp: string): Refusal | undefined {
  const said = objectAt(raw, 'firewall');
  const seeded = said === undefined ? zone : { ...zone, firewall: readZoneFirewall(said) };
  store.zones.set(zone.id, seeded);
  const filters = entries(raw, 'filters');
  for (const body of filters) {
    keepFilter(store, zone, body);
  }
  return seedRules(store, seeded, entries(raw, 'firewall_rules')) ?? seedObjects(store, zone, raw, stamp);
}

function seedRules(store: Store, zone: Zone, rules: readonly JsonObject[]): Refusal | undefined {
  if (rules.length > 0 && worldOf(zone) === 'one_list') {
    const message = 'firewall_rules need "firewall": {"rules": "two_lists"}; else write custom rules';
    return refuse(400, serviceError(message));
  }
  for (const [index, body] of rules.entries()) {
    const problem = boundsProblem(seededFirewallRule, body, `/firewall_rules/${index}`);
    const filter = filterOf(store, zone, objectAt(body, 'filter') ?? {});
    if (problem !== undefined || filter === undefined) {
      const pointer = `/firewall_rules/${index}/filter`;
      return problem ?? refuse(400, serviceError('the seed has no such filter', undefined, pointer));
    }
    const id = textAt(body, 'id') ?? namedId('seeded firewall rule', zone.id, String(index));
    store.firewallRules.set(id, { id, zone: zone.id, ...ruleContent(body), filter: filter.id });
  }
  return undefined;
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

interface Seeding {
  readonly problem: (body: JsonObject) => Refusal | undefined;
  readonly fill: (body: JsonObject, zone: Zone, stamp: string) => JsonObject;
}

const plain = (family: typeof lockdowns): Seeding => ({
  problem: family.problem,
  fill: (body, zone, stamp) => newObject(family, zone, { id: '', stamp, body }).body,
});

const seedings: Readonly<Record<ObjectFamily, Seeding>> = {
  rate_limits: { problem: rateLimitProblem, fill: filledRateLimit },
  page_rules: {
    problem: pageRuleProblem,
    fill: (body, _, stamp) => ({ ...filledPageRule(body), created_on: stamp, modified_on: stamp }),
  },
  lockdowns: plain(lockdowns),
  ua_rules: plain(uaRules),
};

const families: readonly ObjectFamily[] = ['rate_limits', 'page_rules', 'lockdowns', 'ua_rules'];

function seedObjects(store: Store, zone: Zone, raw: JsonObject, stamp: string): Refusal | undefined {
  for (const family of families) {
    const { problem, fill } = seedings[family];
    for (const [index, body] of entries(raw, family).entries()) {
      const refused = problem(body);
      if (refused !== undefined) {
        return refuse(
          400,
          refused.errors.map(({ message }) => serviceError(message, undefined, `/${family}/${index}`)),
        );
      }
      const id = textAt(body, 'id') ?? namedId('seeded', family, zone.id, String(index));
      store.zoneObjects.set(id, { id, zone: zone.id, family, body: fill(body, zone, stamp) });
    }
  }
  return undefined;
}

function entries(raw: JsonObject, key: string): readonly JsonObject[] {
  return listAt(raw, key).filter(isObject);
}
