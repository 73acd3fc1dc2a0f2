import { PLAN_MISMATCH } from '../../apply/step-run.ts';
import type { RulesetCache } from '../../live/ruleset-cache.ts';
import type { Outcome } from '../../model/outcome.ts';
import type { PlannedScope } from '../../model/plan.ts';

/** What shows that a plan was perhaps not made from what is live: it said so, or the service would refuse it. */
const DOUBTFUL: ReadonlySet<string> = new Set([PLAN_MISMATCH, 'apply/preflight']);

/**
 * Takes out of the cache what the steps of a scope were planned from, where one of them may be wrong about live: an answer that left
 * something out would else be believed in every run, for its version does not move.
 */
export async function forgetDoubted(
  scopes: readonly PlannedScope[],
  outcomes: readonly Outcome[],
  cacheOf: (scope: PlannedScope) => RulesetCache,
): Promise<void> {
  const doubtful = new Set(
    outcomes.flatMap((outcome) => ('code' in outcome && DOUBTFUL.has(outcome.code) ? [outcome.step] : [])),
  );
  for (const planned of scopes) {
    const { scope, steps } = planned;
    const isDoubtful = doubtful.size > 0 && steps.some(({ id }) => doubtful.has(id));
    for (const { base, target } of isDoubtful ? steps : []) {
      if (base.kind === 'version') {
        const { level: kind, phase, name } = target;
        await cacheOf(planned).forget(scope, { ...base, kind, phase, name, description: '' });
      }
    }
  }
}
