import fc from 'fast-check';
import { expect, it } from 'vitest';
import type { Plan, Step } from '../../../src/model/plan.ts';
import type { RuleContent } from '../../../src/model/rule.ts';
import { DEFAULT_SAFETY } from '../../../src/model/guard.ts';
import { makePlan } from '../../../src/plan/document/make-plan.ts';
import { planMismatches } from '../../../src/plan/difference/plan-mismatches.ts';
import { findingsOf, guardScope } from '../../../src/plan/guard/guard-scope.ts';
import { guardAgain } from '../../../src/plan/guard/guard-again.ts';
import { propertyRuns } from '../../property-runs.ts';
import { edits } from '../arbitraries.ts';
import { contents } from '../contents.ts';
import { desiredRuleset, liveRule, liveRuleset, SHOP } from '../build.ts';
import { planOne } from '../world.ts';

const runs = { numRuns: propertyRuns() };

const textOf = (content: RuleContent) => JSON.stringify({ ...content, description: '' });

/** Named live rules with different contents, what the files want of them, and the same with some of the rules under new refs. */
const cases = fc
  .uniqueArray(contents, { maxLength: 6, selector: textOf })
  .map((list) => list.map((content, index) => liveRule(index + 1, { ref: `ours-${index}`, ...content })))
  .chain((live) =>
    fc.tuple(
      fc.constant(live),
      edits(live, () => true).filter((rules) =>
        rules.every(
          ({ ref, content }) =>
            !live.some((one) => one.ref !== ref && textOf(one.content) === textOf(content)),
        ),
      ),
      fc.infiniteStream(fc.boolean()),
      fc.infiniteStream(contents.map(({ description }) => description)),
    ),
  )
  .map(([live, kept, picks, descriptions]) => ({
    live: liveRuleset(live),
    kept: desiredRuleset(kept),
    renamed: desiredRuleset(
      kept.map((rule) => {
        const [isRenamed, description] = [picks.next().value, descriptions.next().value];
        const same = live.find(({ ref }) => ref === rule.ref)?.content === rule.content;
        return same && isRenamed
          ? { ...rule, ref: `new-${rule.ref ?? ''}`, content: { ...rule.content, description } }
          : rule;
      }),
    ),
  }));

function planned(live: ReturnType<typeof liveRuleset>, desired: ReturnType<typeof desiredRuleset>): Plan {
  return makePlan('emulator', [guardScope(planOne(desired, live), DEFAULT_SAFETY, '2026-01-01')]);
}

const stepsOf = ({ scopes }: Plan): readonly Step[] =>
  scopes.flatMap((scope) => (scope.kind === 'planned' ? scope.steps : []));

const weakens = (plan: Plan) =>
  stepsOf(plan).some(({ changes }) => changes.some(({ protection }) => protection.kind === 'weakening'));

it('a plan with rules recreated under new refs weakens exactly if it does under the old refs', () => {
  fc.assert(
    fc.property(cases, ({ live, kept, renamed }) => {
      expect(weakens(planned(live, renamed))).toBe(weakens(planned(live, kept)));
    }),
    runs,
  );
});

it('guardAgain finds the same weakening in a saved plan with recreated rules, which still matches live', () => {
  fc.assert(
    fc.property(cases, ({ live, renamed }) => {
      const plan = planned(live, renamed);
      const weakened = (one: Plan) => findingsOf(one).filter(({ kind }) => kind === 'weakened');
      expect(weakened(guardAgain(plan, DEFAULT_SAFETY, '2026-01-01'))).toEqual(weakened(plan));
      for (const step of stepsOf(plan)) {
        expect(planMismatches(step, live, { scope: SHOP })).toEqual([]);
      }
    }),
    runs,
  );
});
