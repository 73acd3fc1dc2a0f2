import type { GuardFinding, Safety, RetirementPlan, RetireStep } from '../../model/index.ts';
import { matchesAny } from '../match/name-rules.ts';
import { otherAccount, withoutAllowed } from './guard-scope.ts';

/**
 * Runs the guards of a project on the plan of a retirement: they find old objects whose own `ref`, or that of the rule replacing them, is
 * protected, and a zone of another account. What the files allow is left out. `today` is `YYYY-MM-DD`, for allowances that end.
 */
export function guardRetirement(plan: RetirementPlan, safety: Safety, today: string): RetirementPlan {
  const findings = [
    ...otherAccount(plan, safety),
    ...plan.findings,
    ...plan.steps.flatMap((step) => protectedObject(step, safety)),
  ];
  return { ...plan, findings: withoutAllowed(findings, safety, today) };
}

function protectedObject(step: RetireStep, { protect }: Safety): readonly GuardFinding[] {
  const rule = refsOf(step).find((ref) => matchesAny(protect, ref));
  return rule === undefined
    ? []
    : [
        {
          kind: 'protected',
          effect: 'refuse',
          step: step.id,
          rule,
          message: `${step.id}: ${rule} is protected and would be deleted`,
        },
      ];
}

function refsOf({ before, replacedBy }: RetireStep): readonly string[] {
  return [before['ref'], replacedBy].flatMap((ref) => (typeof ref === 'string' && ref !== '' ? [ref] : []));
}
