import { describe, expect, it } from 'vitest';
import { nameSkippedRules, skippedManagedRules } from '../../../src/plan/overrides/skipped-rules.ts';
import { unknownIds } from '../../../src/plan/overrides/unknown-ids.ts';
import type { ManagedLookUps } from '../../../src/plan/overrides/no-such-id.ts';
import { CAUSE, desiredRule, desiredRuleset, id, liveRule, liveRuleset } from '../build.ts';
import { planned, read, SCOPE } from '../world.ts';
import type { JsonObject } from '../../../src/data/json.ts';
import type { RuleContent } from '../../../src/model/rule.ts';
import { planScope } from '../../../src/plan/plan-scope.ts';

const PHASE = 'http_request_firewall_managed';
const CORE = liveRuleset(
  [1, 2, 3].map((number) => liveRule(number, { description: number === 3 ? '' : `Managed ${number}` })),
  { id: id(0xe), name: 'Vendor Core', kind: 'managed' },
);
const MANAGED = new Set([CORE.id]);

const skip = (...rules: readonly number[]) => ({
  ref: 'partner',
  action: 'skip',
  action_parameters: { rules: { [CORE.id]: rules.map((number) => id(number)) } },
});

function planOf(before: Partial<RuleContent>, after: Partial<RuleContent>) {
  const address = { kind: 'entrypoint', phase: PHASE } as const;
  const desired = {
    scope: { kind: 'zone', name: SCOPE.name },
    rulesetOwnership: 'declared',
    rulesets: [desiredRuleset([desiredRule(after)], { address })],
    cause: CAUSE,
  } as const;
  const world = new Map([[PHASE, liveRuleset([liveRule(9, before)])]]);
  return planned(planScope(desired, read(world, [address])));
}

describe('the ids that changed rules name', () => {
  const OTHER = liveRuleset([liveRule(7, {})], { id: id(0xf), name: 'Vendor Score', kind: 'managed' });
  const lookUps: ManagedLookUps = new Map(
    [CORE, OTHER].map((ruleset) => [ruleset.id, { kind: 'found', ruleset }]),
  );
  const NONE = id(0xd);
  const FAR = '0123456789abcdef0123456789abcdef';
  const messages = (before: Partial<RuleContent>, after: Partial<RuleContent>) =>
    unknownIds(planOf(before, after), [], { catalogue: [CORE, OTHER], lookUps })
      ?.message.split('\n')
      .map((line) => line.replace(/^\S*:\d+(?::\d+)?: /u, '')) ?? [];
  const skips = (parameters: JsonObject) => ({
    ref: 'partner',
    action: 'skip',
    action_parameters: parameters,
  });
  const runs = (parameters: JsonObject) => ({ ref: 'run', action: 'execute', action_parameters: parameters });

  it.each<[string, Partial<RuleContent>, Partial<RuleContent>, readonly string[]]>([
    ['skipped rules that exist', skip(1), skip(2, 3), []],
    [
      'a skipped rule that no ruleset has',
      skip(1),
      skips({ rules: { [CORE.id]: [id(1), FAR] } }),
      [`Vendor Core has no rule ${FAR}`],
    ],
    [
      'a skipped rule of another ruleset',
      skip(1),
      skip(1, 7),
      [`Vendor Core has no rule ${id(7)}, which belongs to Vendor Score`],
    ],
    [
      'rulesets that the scope does not see',
      skip(1),
      skips({ rulesets: [CORE.id, NONE], rules: { [FAR]: [id(1)] } }),
      [NONE, FAR].map((name) => `the zone does not see a ruleset ${name}`),
    ],
    [
      'an executed ruleset that the scope does not see',
      runs({ id: CORE.id }),
      runs({ id: NONE }),
      [`the zone does not see a ruleset ${NONE}`],
    ],
    ['a skipped rule that the vendor has removed since', skip(1, 12), skip(12, 2), []],
    [
      'an executed ruleset that live names already',
      runs({ id: NONE }),
      runs({ id: NONE, overrides: { enabled: false } }),
      [],
    ],
  ])('are checked: %s', (_what, before, after, expected) => {
    expect(messages(before, after)).toEqual(expected);
  });
});

describe('the names of managed rules that a changed rule skips', () => {
  it('are added for the rules skipped before and after, as far as the vendor names them', () => {
    const plan = planOf(skip(1), skip(2, 3));
    const skipped = skippedManagedRules(plan, MANAGED);
    const named = nameSkippedRules(plan, skipped, new Map([[CORE.id, { kind: 'found', ruleset: CORE }]]));
    expect(named.managedRules).toEqual({ [id(1)]: 'Managed 1', [id(2)]: 'Managed 2' });
  });

  it('are not looked up for a rule that stays, and not in rulesets that do not exist', () => {
    expect(skippedManagedRules(planOf(skip(1), skip(1)), MANAGED)).toEqual(new Map());
    expect(skippedManagedRules(planOf(skip(1), skip(2)), new Set())).toEqual(new Map());
  });

  it('are left out when the ruleset could not be read', () => {
    const plan = planOf(skip(1), skip(2));
    const failed = new Map([[CORE.id, { kind: 'failed', message: 'no' }]] as const);
    expect(nameSkippedRules(plan, skippedManagedRules(plan, MANAGED), failed)).toBe(plan);
  });
});
