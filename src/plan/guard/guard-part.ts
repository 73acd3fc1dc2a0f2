import type { Plan, ScopePlan } from '../../model/plan.ts';
import type { GuardFinding, GuardKind } from '../../model/guard.ts';
import { plannedScopes, allSteps } from '../../model/scope-plans.ts';
import { scopeLabel } from '../../model/scope.ts';
import type { Safety } from '../../model/settings.ts';
import { guardAgain } from './guard-again.ts';

/**
 * Replaces the counting findings in a part of a reviewed plan (a shard, or the rest of an interrupted run) with those of the whole plan by the
 * guards of this run: the review saw those, and a part alone would have other counts.
 */
export function guardPart(part: Plan, whole: Plan, safety: Safety, today: string): Plan {
  const { findings: overRun, scopes } = guardAgain(whole, safety, today);
  const steps = new Set(allSteps(part.scopes).map(({ id }) => id));
  const overScope = new Map(
    plannedScopes(scopes).map(({ scope, findings }) => [
      scopeLabel(scope),
      findings.filter(
        (finding) => isCount(finding) && (finding.step === undefined || steps.has(finding.step)),
      ),
    ]),
  );
  const { findings: said = [], ...rest } = part;
  const findings = [...said.filter((finding) => !isCount(finding)), ...(overRun ?? []).filter(isCount)];
  return {
    ...rest,
    ...(findings.length === 0 ? {} : { findings }),
    scopes: part.scopes.map((plan): ScopePlan =>
      plan.kind === 'failed'
        ? plan
        : {
            ...plan,
            findings: [
              ...plan.findings.filter((finding) => !isCount(finding)),
              ...(overScope.get(scopeLabel(plan.scope)) ?? []),
            ],
          },
    ),
  };
}

const COUNTED: ReadonlySet<GuardKind> = new Set<GuardKind>(['deleted', 'changed', 'emptied', 'scopes']);

function isCount({ kind }: GuardFinding): boolean {
  return COUNTED.has(kind);
}
