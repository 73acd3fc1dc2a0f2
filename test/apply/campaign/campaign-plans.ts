import type { JsonObject } from '../../../src/data/json.ts';
import type { DesiredRule } from '../../../src/model/rule.ts';
import { contentToWire } from '../../../src/model/rule.ts';
import type { DesiredRuleset, RuleOwnership } from '../../../src/model/ruleset.ts';
import type { DesiredScope } from '../../../src/model/state.ts';
import type { WriteStrategy } from '../../../src/plan/requests/writes.ts';
import { CAUSE, desiredRule, desiredRuleset } from '../../plan/build.ts';

/** A change from one state to another that is disturbed at each of its requests. */
export interface CampaignPlan {
  readonly name: string;
  /** What the service holds before, as desired state. */
  readonly before: DesiredScope;
  /** Rules of others, with and without a ref, that are added among those of `before`. */
  readonly strangers: readonly (readonly [phase: string, place: number, rule: JsonObject])[];
  readonly desired: DesiredScope;
  readonly strategy: WriteStrategy;
  readonly preflight: 'auto' | 'off';
}

const CUSTOM = 'http_request_firewall_custom';
const REDIRECTS = 'http_request_dynamic_redirect';
const LIMITS = 'http_ratelimit';

type Over = Partial<Parameters<typeof desiredRule>[0]>;

function rule(ref: string, over: Over = {}): DesiredRule {
  return desiredRule({ ref, action: 'block', expression: `http.host eq "${ref}.example"`, ...over });
}

function rules(...refs: readonly string[]): readonly DesiredRule[] {
  return refs.map((ref) => rule(ref));
}

const LOGGED: Over = { action: 'log', description: 'only looked at' };

function redirect(ref: string, to = 'https://shop.example/'): DesiredRule {
  return rule(ref, {
    action: 'redirect',
    action_parameters: { from_value: { target_url: { value: to }, status_code: 301 } },
  });
}

function limit(ref: string, requests: number): DesiredRule {
  return rule(ref, {
    ratelimit: { characteristics: ['ip.src', 'cf.colo.id'], period: 60, requests_per_period: requests },
  });
}

function execute(ref: string, name: string): DesiredRule {
  return rule(ref, { action: 'execute', action_parameters: { id: `custom:${name}` } });
}

function at(phase: string, list: readonly DesiredRule[], over: Partial<DesiredRuleset> = {}): DesiredRuleset {
  return desiredRuleset(list, { address: { kind: 'entrypoint', phase }, ...over });
}

function custom(
  name: string,
  list: readonly DesiredRule[],
  over: Partial<DesiredRuleset> = {},
): DesiredRuleset {
  return desiredRuleset(list, { address: { kind: 'custom', phase: CUSTOM, name }, ...over });
}

function zone(...rulesets: readonly DesiredRuleset[]): DesiredScope {
  return {
    scope: { kind: 'zone', name: 'shop.example' },
    rulesetOwnership: 'declared',
    rulesets,
    cause: CAUSE,
  };
}

function account(...rulesets: readonly DesiredRuleset[]): DesiredScope {
  return { ...zone(...rulesets), scope: { kind: 'account', name: 'Example Shop' } };
}

/** The expression of an account rule has to be limited to Enterprise zones (api.md 4.4). */
function enterprise(one: DesiredRule): DesiredRule {
  return {
    ...one,
    content: { ...one.content, expression: `(${one.content.expression}) and cf.zone.plan eq "ENT"` },
  };
}

const OURS: RuleOwnership = { kind: 'patterns', patterns: ['our-*'] };
const STRANGERS = ['one', 'two'].map((name, index) => [
  CUSTOM,
  index * 2 + 1,
  { ...contentToWire(rule(name).content), ...(index === 0 ? { ref: 'team-one' } : {}) },
]) as CampaignPlan['strangers'];

function plan(
  name: string,
  before: DesiredScope,
  desired: DesiredScope,
  over: Partial<CampaignPlan> = {},
): CampaignPlan {
  return { name, before, desired, strangers: [], strategy: 'auto', preflight: 'auto', ...over };
}

const FIVE = zone(at(CUSTOM, rules('a', 'b', 'c', 'd', 'e')));
const MIXED = zone(at(CUSTOM, [rule('n'), rule('d'), rule('a'), rule('c', LOGGED), rule('m')]));
const OURS_BEFORE = zone(at(CUSTOM, rules('our-a', 'our-b', 'our-c'), { ownership: OURS }));
const OURS_AFTER = zone(
  at(CUSTOM, [rule('our-c'), rule('our-n'), rule('our-a', LOGGED)], { ownership: OURS }),
);
const EXECUTED = zone(
  custom('Inner', rules('in-1', 'in-2')),
  at(CUSTOM, [rule('a'), execute('run', 'inner')]),
);
const EXECUTED_OTHERWISE = zone(
  custom('Inner', [rule('in-2'), rule('in-3')]),
  at(CUSTOM, [execute('run', 'inner'), rule('b'), rule('c')]),
);

/** Plans with every kind of step and write, with every strategy, with and without a preflight. */
export const PLANS: readonly CampaignPlan[] = [
  plan('one rule added', FIVE, zone(at(CUSTOM, rules('a', 'b', 'n', 'c', 'd', 'e')))),
  plan('one rule changed', FIVE, zone(at(CUSTOM, [rule('a'), rule('b', LOGGED), ...rules('c', 'd', 'e')]))),
  plan('one rule moved', FIVE, zone(at(CUSTOM, rules('e', 'a', 'b', 'c', 'd')))),
  plan('one rule deleted', FIVE, zone(at(CUSTOM, rules('a', 'b', 'd', 'e')))),
  plan('one rule deleted, without preflight', FIVE, zone(at(CUSTOM, rules('a', 'b', 'd', 'e'))), {
    preflight: 'off',
  }),
  plan('a mixed edit as one PUT', FIVE, MIXED),
  plan('a mixed edit as one PUT of whole rules', FIVE, MIXED, { preflight: 'off' }),
  plan('a mixed edit by single rules', FIVE, MIXED, { strategy: 'rules' }),
  plan('a turned list by single rules', FIVE, zone(at(CUSTOM, rules('e', 'd', 'c', 'b', 'a'))), {
    strategy: 'rules',
    preflight: 'off',
  }),
  plan('a list that becomes empty', FIVE, zone(at(CUSTOM, []))),
  plan('an entry point made', zone(), zone(at(REDIRECTS, [redirect('r1'), redirect('r2')]))),
  plan('an entry point made, without preflight', zone(), zone(at(REDIRECTS, [redirect('r1')])), {
    preflight: 'off',
  }),
  plan('a description', FIVE, zone(at(CUSTOM, rules('a', 'b', 'c', 'd', 'e'), { description: 'Ours' }))),
  plan(
    'a description and rules, one by one',
    FIVE,
    zone(at(CUSTOM, rules('b', 'a', 'x'), { description: 'Ours' })),
    { strategy: 'rules' },
  ),
  plan('a custom ruleset made and executed', zone(at(CUSTOM, rules('a'))), EXECUTED),
  plan(
    'a custom ruleset and its rule taken away',
    EXECUTED,
    zone(custom('Inner', [], { presence: 'absent' }), at(CUSTOM, rules('a'))),
  ),
  plan('a custom ruleset and its entry point changed, rule by rule', EXECUTED, EXECUTED_OTHERWISE, {
    strategy: 'rules',
  }),
  plan('ours among others, as one PUT', OURS_BEFORE, OURS_AFTER, { strangers: STRANGERS }),
  plan('ours among others, rule by rule', OURS_BEFORE, OURS_AFTER, {
    strangers: STRANGERS,
    strategy: 'rules',
  }),
  plan('ours among others, whole rules', OURS_BEFORE, OURS_AFTER, {
    strangers: STRANGERS,
    preflight: 'off',
    strategy: 'ruleset',
  }),
  plan(
    'a rule of others taken over',
    OURS_BEFORE,
    zone(
      at(
        CUSTOM,
        [
          ...rules('our-a', 'our-b', 'our-c'),
          rule('our-one', { expression: 'http.host eq "one.example"', adopt: true }),
        ],
        { ownership: OURS },
      ),
    ),
    { strangers: STRANGERS },
  ),
  plan(
    'two phases at once',
    zone(at(CUSTOM, rules('a', 'b')), at(LIMITS, [limit('l', 10)])),
    zone(at(CUSTOM, rules('b', 'a')), at(LIMITS, [limit('l', 20)])),
  ),
  plan(
    'three phases, one of them new, rule by rule',
    zone(at(CUSTOM, rules('a', 'b')), at(LIMITS, [limit('l', 10)])),
    zone(at(CUSTOM, rules('c', 'a')), at(LIMITS, [limit('m', 20)]), at(REDIRECTS, [redirect('r')])),
    { strategy: 'rules' },
  ),
  plan(
    'an account with a ruleset of its own',
    account(),
    account(
      custom('Shared', [enterprise(rule('s1'))]),
      at(CUSTOM, [enterprise(execute('run-shared', 'shared'))]),
    ),
  ),
];
