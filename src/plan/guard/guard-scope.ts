import type { GuardFinding, PlannedScope, ScopePlan, Step } from '../../model/plan.ts';
import type { Safety } from '../../model/settings.ts';
import { scopeLabel } from '../../model/scope.ts';
import { matchesAny } from '../ownership.ts';
import { checkStep } from './step-findings.ts';
import type { Tally } from './thresholds.ts';
import { checkThresholds } from './thresholds.ts';

/**
 * The plan of a scope with what the guards found, after what planning itself found (quotas). `today` is
 * `YYYY-MM-DD`, for allowances that end.
 */
export function guardScope(plan: PlannedScope, safety: Safety, today: string): PlannedScope {
  const tallies = plan.steps.map(tallyOf);
  const findings = [
    ...plan.findings,
    ...plan.steps.flatMap((step) => checkStep(step, liveRules(step), safety)),
    ...tallies.flatMap((tally) => checkThresholds(tally, safety)),
    ...(plan.steps.length > 1
      ? checkThresholds(total(`all of ${scopeLabel(plan.scope)}`, tallies), safety)
      : []),
  ];
  return { ...plan, findings: withoutAllowed(findings, safety, today) };
}

/** How many live rules a step's ruleset has: those that stay and those that go. */
function liveRules(step: Step): number {
  const kept = step.operation === 'delete' ? 0 : step.order.filter((entry) => entry.kind === 'live').length;
  return kept + step.changes.filter((change) => change.kind === 'delete').length;
}

function tallyOf(step: Step): Tally {
  return {
    subject: step.id,
    step: step.id,
    live: liveRules(step),
    deleted: step.changes.filter((change) => change.kind === 'delete').length,
    changed: step.changes.filter((change) => change.kind === 'patch').length,
  };
}

function total(subject: string, tallies: readonly Tally[]): Tally {
  const sum = (count: (tally: Tally) => number): number =>
    tallies.reduce((all, tally) => all + count(tally), 0);
  return {
    subject,
    live: sum((tally) => tally.live),
    deleted: sum((tally) => tally.deleted),
    changed: sum((tally) => tally.changed),
  };
}

/**
 * What the guards find about all scopes together; nothing when only one of them changes, for its own
 * guards have said it.
 */
export function guardRun(
  scopes: readonly ScopePlan[],
  safety: Safety,
  today: string,
): readonly GuardFinding[] {
  const totals = scopes.flatMap((scope) =>
    scope.kind === 'planned' && scope.steps.length > 0 ? [total('', scope.steps.map(tallyOf))] : [],
  );
  const subject = `the whole run, ${totals.length} scopes`;
  return totals.length < 2
    ? []
    : withoutAllowed(checkThresholds(total(subject, totals), safety), safety, today);
}

/** The findings that the files do not allow. */
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
