import { describe, expect, it } from 'vitest';
import { nameSkippedRules, skippedRules } from '../../../src/plan/overrides/skipped-rules.ts';
import { CAUSE, desiredRule, desiredRuleset, id, liveRule, liveRuleset } from '../build.ts';
import { planned, read, SCOPE } from '../world.ts';
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

function planOf(before: ReturnType<typeof skip>, after: ReturnType<typeof skip>) {
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

describe('the names of managed rules that a changed rule skips', () => {
  it('are added for the rules skipped before and after, as far as the vendor names them', () => {
    const plan = planOf(skip(1), skip(2, 3));
    const skipped = skippedRules(plan, MANAGED);
    const named = nameSkippedRules(plan, skipped, new Map([[CORE.id, { kind: 'found', ruleset: CORE }]]));
    expect(named.managedRules).toEqual({ [id(1)]: 'Managed 1', [id(2)]: 'Managed 2' });
  });

  it('are not looked up for a rule that stays, and not in rulesets that do not exist', () => {
    expect(skippedRules(planOf(skip(1), skip(1)), MANAGED)).toEqual(new Map());
    expect(skippedRules(planOf(skip(1), skip(2)), new Set())).toEqual(new Map());
  });

  it('are left out when the ruleset could not be read', () => {
    const plan = planOf(skip(1), skip(2));
    const failed = new Map([[CORE.id, { kind: 'failed', message: 'no' }]] as const);
    expect(nameSkippedRules(plan, skippedRules(plan, MANAGED), failed)).toBe(plan);
  });
});
