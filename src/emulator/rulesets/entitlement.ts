import { isObject, listAt, numberAt, objectAt } from '../protocol/json.ts';
import { refuse } from '../protocol/refusal.ts';
import { notEntitled } from './errors.ts';
import type { SettledRule } from './identity.ts';
import { phaseRow } from './parameters/phases.ts';
import { hasFeature, planOf } from './place.ts';
import type { Place } from '../call/place.ts';
import { checkRatelimitEntitlement } from './ratelimit.ts';
import type { RuleDefinition } from '../records/ruleset.ts';

/** Checks that the scope's plan and features include its phase and what its rules use (api.md 4.4, 5, 8). */
export function checkEntitlement(settled: readonly SettledRule[], place: Place): void {
  const need = phaseRow(place.phase)?.accountNeeds;
  if (place.scope.kind === 'account' && need !== undefined && !hasFeature(place.scope, need)) {
    throw refuse(400, `not entitled to use the phase ${place.phase}`, { code: 50002 });
  }
  for (const { rule, pointer } of settled) {
    if (pointer !== undefined) {
      checkRule(rule.definition, place);
    }
  }
}

const ENTERPRISE = 'an Enterprise plan';
const ADVANCED_DDOS = 'an Advanced DDoS Protection plan';

/** What only Enterprise includes: a name for the message, and a test for a rule that uses it. */
const enterpriseOnly: readonly (readonly [string, (rule: RuleDefinition, place: Place) => boolean])[] = [
  ['the log action', (rule) => rule.action === 'log'],
  [
    'a custom cache key',
    (rule) => objectAt(objectAt(parameters(rule), 'cache_key') ?? {}, 'custom_key') !== undefined,
  ],
  [
    'a host header override',
    (rule) => rule.action === 'route' && parameters(rule)['host_header'] !== undefined,
  ],
  ['an SNI override', (rule) => rule.action === 'route' && parameters(rule)['sni'] !== undefined],
  [
    'an origin host override',
    (rule) => rule.action === 'route' && objectAt(parameters(rule), 'origin')?.['host'] !== undefined,
  ],
  ['payload logging', (rule) => parameters(rule)['matched_data'] !== undefined],
];

/** The shortest edge TTL that each plan may set, in seconds (api.md 5.11; enforcement assumed). */
const MIN_EDGE_TTL = { free: 7200, pro: 3600, business: 1, enterprise: 1 } as const;

function checkRule(rule: RuleDefinition, place: Place): void {
  if (planOf(place.scope) !== 'enterprise') {
    const used = enterpriseOnly.find(([, uses]) => uses(rule, place));
    if (used !== undefined) {
      throw notEntitled(used[0], ENTERPRISE);
    }
  }
  const shortest = MIN_EDGE_TTL[planOf(place.scope)];
  const edge = objectAt(parameters(rule), 'edge_ttl');
  const seconds = edge === undefined ? undefined : numberAt(edge, 'default');
  if (seconds !== undefined && seconds < shortest) {
    throw notEntitled(`an edge TTL of ${seconds} seconds`, 'a higher plan');
  }
  if (place.phase === 'ddos_l7' && rule.expression !== 'true' && !hasFeature(place.scope, 'advanced_ddos')) {
    throw notEntitled('an expression other than true', ADVANCED_DDOS);
  }
  if (place.phase === 'ddos_l7' && logsInOverride(rule) && !hasFeature(place.scope, 'advanced_ddos')) {
    throw notEntitled('an override with the log action', ADVANCED_DDOS);
  }
  if (rule.ratelimit !== undefined) {
    checkRatelimitEntitlement(rule.action, rule.ratelimit, place);
  }
}

/** Whether an override at any level has the action `log` (api.md 5.3). */
function logsInOverride(rule: RuleDefinition): boolean {
  const overrides = objectAt(parameters(rule), 'overrides') ?? {};
  return [overrides, ...listAt(overrides, 'categories'), ...listAt(overrides, 'rules')].some(
    (entry) => isObject(entry) && entry['action'] === 'log',
  );
}

function parameters(rule: RuleDefinition) {
  return rule.action_parameters ?? {};
}
