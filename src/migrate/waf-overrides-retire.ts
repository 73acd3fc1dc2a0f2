import type { OldOverride } from '../model/index.ts';
import { MANAGED_PHASE } from '../model/index.ts';
import type { RetirementResult, RetiringZone } from './retire-plan.ts';
import { retirementPlan } from './retire-plan.ts';

/**
 * Plans the deletion of the URI-based overrides of a zone, each of which keeps the zone from migrating (specification 3.1 rule 4). Nothing
 * replaces them: their names say what they do, for those who build it again.
 */
export function planOverrideRemoval(
  input: RetiringZone & { readonly overrides: readonly OldOverride[] },
): RetirementResult {
  return {
    kind: 'planned',
    plan: retirementPlan({
      ...input,
      phase: MANAGED_PHASE,
      candidates: input.overrides.map((override) => ({
        target: { kind: 'waf_override', id: override.id },
        name: nameOf(override),
        reason: null,
        replacedBy: null,
        before: override,
      })),
      differences: [],
    }),
  };
}

/** Returns where an override applies, what it does, and its description. */
function nameOf({ urls, groups, rules, rewriteAction, paused, description }: OldOverride): string {
  const does = Object.entries({ ...groups, ...rules, ...rewriteAction }).map(
    ([what, action]) => `${what} ${action}`,
  );
  return `${urls.join(', ')}: ${does.join(', ')}${paused ? ' (paused)' : ''}${description === '' ? '' : ` · ${description}`}`;
}
