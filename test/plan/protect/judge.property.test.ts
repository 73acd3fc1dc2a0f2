import fc from 'fast-check';
import { expect, test } from 'vitest';
import type { RuleContent } from '../../../src/model/rule.ts';
import { createProofs } from '../../../src/plan/impact/conditions.ts';
import { createJudge } from '../../../src/plan/impact/judge.ts';
import type { KeptRule } from '../../../src/plan/impact/judge-moves.ts';
import { judgeGone, judgeNew, judgePatched } from '../../../src/plan/impact/judge-order.ts';
import { SAME } from '../../../src/plan/impact/security-effect.ts';
import { propertyRuns } from '../../property-runs.ts';
import { SHOP } from '../build.ts';

const STAND = { scope: SHOP, phase: 'http_request_firewall_custom' };

const content: fc.Arbitrary<RuleContent> = fc.record({
  action: fc.constantFrom(
    'block',
    'managed_challenge',
    'log',
    'skip',
    'execute',
    'odd',
    'set_config',
    'set_config',
    'set_config',
  ),
  action_parameters: fc.constantFrom({}, { ssl: 'off' }, { ssl: 'strict' }),
  expression: fc.constantFrom('true', 'ssl', 'http.host eq "a"', 'http.host eq "b"', 'not a condition'),
  description: fc.constant(''),
  enabled: fc.boolean(),
});

const keptRules: fc.Arbitrary<readonly KeptRule[]> = fc
  .uniqueArray(fc.record({ content, live: fc.nat(20) }), { selector: ({ live }) => live, maxLength: 8 })
  .map((rules) =>
    rules.map((rule, at) => ({
      ref: `r${at}`,
      live: rule.live,
      content: rule.content,
      before: rule.content,
    })),
  );

/** Several changes in a row, since a judge remembers the rules that it has compared. */
const questions = fc.array(
  fc.record({ before: content, after: content, ahead: fc.nat(8), live: fc.nat(20) }),
  {
    minLength: 1,
    maxLength: 6,
  },
);

type Asked = readonly [
  order: readonly KeptRule[],
  questions: typeof questions extends fc.Arbitrary<infer Drawn> ? Drawn : never,
];

/** The verdicts of a judge, and those of a comparison with every rule. */
function bothWays([order, asked]: Asked) {
  const judge = createJudge(order, STAND);
  const rules = order.map((rule, at) => ({ ...rule, at }));
  return asked.map(({ before, after, ahead, live }) => {
    const proofs = createProofs();
    const around = { rules, ahead, live, context: STAND, proofs };
    return {
      told: [
        judge.added(after, ahead),
        judge.gone(before, live),
        judge.patched(before, after, { ahead, live, isMoved: false }),
      ],
      whole: [
        judgeNew(after, { rules, ahead, context: STAND, proofs }),
        judgeGone(before, { ...around, ahead: 0 }),
        judgePatched(before, after, { moved: SAME, around }),
      ],
    };
  });
}

test('createJudge judges each change as if it were compared with every rule', () => {
  fc.assert(
    fc.property(keptRules, questions, (...asked) => {
      for (const { told, whole } of bothWays(asked)) {
        expect(told).toEqual(whole);
      }
    }),
    { numRuns: propertyRuns() },
  );
});

test('the cases of createJudge include changes that weaken because of rules before and rules behind them', () => {
  const reasons = fc
    .sample(fc.tuple(keptRules, questions), { seed: 1, numRuns: 500 })
    .flatMap((asked) => bothWays(asked).flatMap(({ told }) => told))
    .flatMap((verdict) => (verdict.kind === 'weaker' ? [verdict.reason] : []));
  for (const clause of [/comes before r\d/u, /comes after r\d/u, /r\d decides in its place/u]) {
    expect(reasons.filter((reason) => clause.test(reason)).length).toBeGreaterThan(5);
  }
});
