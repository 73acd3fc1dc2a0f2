import type { PlannedScope, ScopePlan } from '../../model/plan.ts';
import type { GuardFinding } from '../../model/guard.ts';
import type { Safety } from '../../model/settings.ts';
import type { Scope } from '../../model/scope.ts';
import { scopeLabel } from '../../model/scope.ts';
import { changingScopes } from '../../model/scope-plans.ts';
import { matchesAny } from '../rules/ownership.ts';
import { checkStep } from './step-findings.ts';
import type { RuleCounts, Tally } from './thresholds.ts';
import { checkThresholds, countRules, totalCounts } from './thresholds.ts';

/** Adds the findings of guards to the plan of a scope, after those of planning itself (quotas). `today` is `YYYY-MM-DD`, for allowances that end. */
export function guardScope(plan: PlannedScope, safety: Safety, today: string): PlannedScope {
  const tallies = plan.steps.map((step): Tally => ({ subject: step.id, step: step.id, ...countRules(step) }));
  const findings = [
    ...otherAccount(plan, safety),
    ...plan.findings,
    ...plan.steps.flatMap((step, index) => checkStep(step, tallies[index]?.live ?? 0, safety)),
    ...tallies.flatMap((tally) => checkThresholds(tally, safety)),
    ...(plan.steps.length > 1
      ? checkThresholds({ subject: `all of ${scopeLabel(plan.scope)}`, ...totalCounts(tallies) }, safety)
      : []),
  ];
  return { ...plan, findings: withoutAllowed(findings, safety, today) };
}

/** Finds that a changing scope is in none of the accounts that the files name. */
export function otherAccount(
  { scope, steps }: { readonly scope: Scope; readonly steps: readonly unknown[] },
  { accounts }: Safety,
): readonly GuardFinding[] {
  const { kind, accountId } = scope;
  if (steps.length === 0 || accounts === undefined || accounts.includes(accountId)) {
    return [];
  }
  const where = kind === 'zone' ? `is in the account ${accountId}` : `is ${accountId}`;
  const message = `${scopeLabel(scope)} ${where}, which \`safety.accounts\` does not name: is this the right token?`;
  return [{ kind: 'account', effect: 'refuse', message }];
}

/** Runs the guards that concern all scopes together. */
export function guardRun(
  scopes: readonly ScopePlan[],
  safety: Safety,
  today: string,
): readonly GuardFinding[] {
  const counts = changingScopes(scopes).map(({ steps }) => totalCounts(steps.map(countRules)));
  return guardCounts(counts, safety, today);
}

/** Runs the guards on the counts of the changing scopes together; nothing for a single scope, whose own guards cover it. */
export function guardCounts(
  counts: readonly RuleCounts[],
  safety: Safety,
  today: string,
): readonly GuardFinding[] {
  const subject = `the whole run, ${counts.length} scopes`;
  return counts.length < 2
    ? []
    : withoutAllowed(
        [...fanOut(counts.length, safety), ...checkThresholds({ subject, ...totalCounts(counts) }, safety)],
        safety,
        today,
      );
}

/** Finds that more scopes change than the files allow in one run; one edit of a pack can reach every zone. */
function fanOut(changed: number, { maxScopes = Infinity }: Safety): readonly GuardFinding[] {
  const message = `${changed} scopes would change in the whole run; max_scopes allows ${maxScopes}. Change some of them first (--target)`;
  return changed > maxScopes ? [{ kind: 'scopes', effect: 'refuse', message }] : [];
}

/** Returns the findings that the files do not allow. */
export function withoutAllowed(
  findings: readonly GuardFinding[],
  safety: Safety,
  today: string,
): readonly GuardFinding[] {
  return findings.filter((finding) => !isAllowedByFile(finding, safety, today));
}

function isAllowedByFile(finding: GuardFinding, safety: Safety, today: string): boolean {
  return safety.allow.some(
    (allowance) =>
      allowance.kind === finding.kind &&
      today <= allowance.until &&
      (allowance.rule === undefined ||
        (finding.rule !== undefined && matchesAny([allowance.rule], finding.rule))),
  );
}
