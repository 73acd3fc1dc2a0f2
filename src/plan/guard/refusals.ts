import type { Plan } from '../../model/plan.ts';
import type { GuardFinding, Permission } from '../../model/guard.ts';
import { isAllowed, reviewedBy } from '../../model/guard.ts';
import { plannedScopes } from '../../model/scope-plans.ts';

/** Returns all findings of guards: about the run, then scope by scope. */
export function findingsOf(plan: Pick<Plan, 'findings' | 'scopes'>): readonly GuardFinding[] {
  return [...(plan.findings ?? []), ...plannedScopes(plan.scopes).flatMap(({ findings }) => findings)];
}

/**
 * Returns the findings that stop this run: refusals neither allowed by a flag nor shown in the reviewed plan, and refusals that nothing can
 * allow.
 */
export function refusals(findings: readonly GuardFinding[], permission: Permission): readonly GuardFinding[] {
  const isReviewed = reviewedBy(permission);
  return findings.filter(
    (finding) =>
      finding.effect === 'refuse' && !isAllowed(finding.kind, permission.kinds) && !isReviewed(finding),
  );
}
