import type { Plan } from '../../model/plan.ts';
import type { AllowedKinds, GuardFinding } from '../../model/guard.ts';
import { isAllowable, isAllowed } from '../../model/guard.ts';
import { plannedScopes } from '../../model/scope-plans.ts';

/** What permits a run in spite of guards. */
export interface Permission {
  /** Kinds that were allowed for this run. */
  readonly kinds: AllowedKinds;
  /** Findings that the reviewed plan showed; each permits an identical one. */
  readonly reviewed?: readonly GuardFinding[];
}

/** Returns all findings of guards: about the run, then scope by scope. */
export function findingsOf(plan: Pick<Plan, 'findings' | 'scopes'>): readonly GuardFinding[] {
  return [...(plan.findings ?? []), ...plannedScopes(plan.scopes).flatMap(({ findings }) => findings)];
}

/**
 * Returns the findings that stop this run: refusals neither allowed by a flag nor shown in the reviewed plan, and refusals that nothing can
 * allow.
 */
export function refusals(
  findings: readonly GuardFinding[],
  { kinds, reviewed = [] }: Permission,
): readonly GuardFinding[] {
  const seen = new Set(reviewed.map(keyOf));
  return findings.filter(
    (finding) =>
      finding.effect === 'refuse' &&
      !isAllowed(finding.kind, kinds) &&
      !(isAllowable(finding.kind) && seen.has(keyOf(finding))),
  );
}

/** Identifies a finding, including the numbers in its message: a finding with other numbers was not reviewed. */
function keyOf({ kind, step, rule, message }: GuardFinding): string {
  return JSON.stringify([kind, step ?? null, rule ?? null, message]);
}
