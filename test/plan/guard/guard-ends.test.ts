import { describe, expect, it } from 'vitest';
import { DEFAULT_SAFETY } from '../../../src/model/guard.ts';
import type { Safety } from '../../../src/model/guard.ts';
import { guardEnds } from '../../../src/plan/guard/guard-ends.ts';
import { guardScope } from '../../../src/plan/guard/guard-scope.ts';
import { findingsOf } from '../../../src/plan/guard/guard-scope.ts';
import { makePlan } from '../../../src/plan/document/make-plan.ts';
import { desiredRule, desiredRuleset, liveRule, liveRuleset } from '../build.ts';
import { planOne } from '../world.ts';

const TODAY = '2026-12-01';
const END = Date.UTC(2026, 11, 24, 18);
const WINDOW = `(http.request.uri.path eq "/a") and http.request.timestamp.sec lt ${END / 1000}`;
const BLOCK = { action: 'block', expression: WINDOW };
const SKIP = { action: 'skip', expression: WINDOW, action_parameters: { ruleset: 'current' } };
const STRICT: Safety = { ...DEFAULT_SAFETY, weakened: 'refuse' };

type Content = Parameters<typeof liveRule>[1];

/** The kinds of findings that refuse the deletion of a rule at a time, or warn of it. */
function refusedAt(
  now: number,
  rule: Content,
  safety: Safety = STRICT,
  wanted: 'refuse' | 'warn' = 'refuse',
): readonly string[] {
  const live = liveRuleset([liveRule(1, { ref: 'kept' }), liveRule(2, { ref: 'gone', ...rule })]);
  const desired = desiredRuleset([desiredRule({ ref: 'kept' })]);
  const plan = makePlan('emulator', [guardScope(planOne(desired, live), safety, TODAY)], []);
  return findingsOf(guardEnds(plan, { now, safety, today: TODAY })).flatMap(({ kind, effect }) =>
    effect === wanted ? [kind] : [],
  );
}

describe('the deletion of a rule with an end', () => {
  it.each([
    ['a block before its end', END - 1, BLOCK, ['weakened', 'not-ended']],
    ['a block at its end', END, BLOCK, []],
    ['an exception before its end', END - 1, SKIP, []],
    ['a block without an end', END, { action: 'block' }, ['weakened']],
    [
      'a rate limit after its end, which still stops whom it has begun to stop',
      END,
      { ...BLOCK, ratelimit: { characteristics: ['ip.src'], period: 60, requests_per_period: 9 } },
      ['weakened'],
    ],
  ] as const)('%s: %s', (_, now, rule, kinds) => {
    expect(refusedAt(now, rule)).toEqual(kinds);
  });

  it('is only told before the end where it strengthens', () => {
    expect(refusedAt(END - 1, SKIP, STRICT, 'warn')).toEqual(['not-ended']);
    expect(refusedAt(END, SKIP, STRICT, 'warn')).toEqual([]);
  });

  it('is refused before the end also where weakening is not, unless the files allow it', () => {
    expect(refusedAt(END - 1, BLOCK, DEFAULT_SAFETY)).toEqual(['not-ended']);
    const allow = [{ kind: 'not-ended' as const, rule: 'gone', until: '2026-12-31', reason: 'moved' }];
    expect(refusedAt(END - 1, BLOCK, { ...DEFAULT_SAFETY, allow })).toEqual([]);
  });
});
