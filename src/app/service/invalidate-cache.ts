import { PLAN_MISMATCH } from '../../apply/steps/step-run.ts';
import type { RulesetCache } from '../../live/ruleset-cache.ts';
import type { Outcome } from '../../model/outcome.ts';
import type { PlannedScope } from '../../model/plan.ts';

/** Error codes that suggest that the plan was made from stale or incomplete data. */
const STALE_DATA_CODES: ReadonlySet<string> = new Set([PLAN_MISMATCH, 'apply/preflight']);

/**
 * Removes the cached rulesets that a scope was planned from if a step failed in a way that suggests they are wrong: otherwise an
 * incomplete response would be used in every run, because its version does not change.
 */
export async function invalidateCache(
  scopes: readonly PlannedScope[],
  outcomes: readonly Outcome[],
  cacheOf: (scope: PlannedScope) => RulesetCache,
): Promise<void> {
  const suspect = new Set(
    outcomes.flatMap((outcome) =>
      'code' in outcome && STALE_DATA_CODES.has(outcome.code) ? [outcome.step] : [],
    ),
  );
  for (const planned of scopes) {
    const { scope, steps } = planned;
    const isSuspect = suspect.size > 0 && steps.some(({ id }) => suspect.has(id));
    for (const { base, target } of isSuspect ? steps : []) {
      if (base.kind === 'version') {
        const { level: kind, phase, name } = target;
        await cacheOf(planned).forget(scope, { ...base, kind, phase, name, description: '' });
      }
    }
  }
}
