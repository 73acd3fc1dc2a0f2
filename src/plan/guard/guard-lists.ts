import { scopeLabel } from '../../model/index.ts';
import type { GuardFinding, ListStep, PlannedScope, Safety } from '../../model/index.ts';
import { counted, oneLine, someNames } from '../../text/index.ts';
import { matchesAny } from '../match/name-rules.ts';
import type { ListNamingRule } from '../lists/list-rules.ts';
import type { PlannedList } from '../lists/plan-lists.ts';
import { otherAccount, withoutAllowed } from './guard-scope.ts';
import { checkThresholds } from './thresholds.ts';

/** The most rules that a finding names. */
const MOST_NAMED = 3;

/** Adds the steps of lists to the plan of their account, with the findings of guards about them. */
export function guardLists(
  plan: PlannedScope,
  { lists, rules }: { readonly lists: readonly PlannedList[]; readonly rules: readonly ListNamingRule[] },
  { safety, today }: { readonly safety: Safety; readonly today: string },
): PlannedScope {
  if (lists.length === 0) {
    return plan;
  }
  const objects = lists.map(({ step }) => step);
  const findings = [
    ...(plan.steps.length === 0 ? otherAccount({ scope: plan.scope, steps: objects }, safety) : []),
    ...lists.flatMap(({ step, judged }) => [
      ...stillNamed(step, rules),
      ...judged.findings.map((one) => ({ ...one, effect: safety.weakened })),
      ...findingsOfStep(step, safety),
    ]),
  ];
  return {
    ...plan,
    objects,
    findings: [...plan.findings, ...withoutAllowed(findings, safety, today)],
  };
}

/**
 * Runs the guards again on the steps of lists of a plan from a file. What its steps do by the rules that name the lists cannot be judged from the
 * plan alone: what the file calls weakening stays so.
 */
export function guardListsAgain(
  plan: PlannedScope,
  said: readonly GuardFinding[],
  { safety, today }: { readonly safety: Safety; readonly today: string },
): PlannedScope {
  const { objects = [] } = plan;
  if (objects.length === 0) {
    return plan;
  }
  const findings = [
    ...(plan.steps.length === 0 ? otherAccount({ scope: plan.scope, steps: objects }, safety) : []),
    ...objects.flatMap((step) => [...weakenedAgain(step, said, safety), ...findingsOfStep(step, safety)]),
  ];
  return { ...plan, findings: [...plan.findings, ...withoutAllowed(findings, safety, today)] };
}

function weakenedAgain(
  { id, protection }: ListStep,
  said: readonly GuardFinding[],
  { weakened: effect }: Safety,
): readonly GuardFinding[] {
  if (protection.kind !== 'weakening') {
    return [];
  }
  const own = said.filter(({ kind, step }) => kind === 'weakened' && step === id);
  const told: GuardFinding = {
    kind: 'weakened',
    effect,
    step: id,
    message: `${id} ${protection.reason}`,
    ...(protection.proven === false ? { proven: false } : {}),
  };
  return own.length === 0 ? [told] : own.map((one) => ({ ...one, effect }));
}

function findingsOfStep(step: ListStep, safety: Safety): readonly GuardFinding[] {
  return [...emptied(step), ...isProtected(step, safety), ...thresholds(step, safety)];
}

/** Finds rules that still name a list which is deleted; the service refuses that (api.md 9.8). */
function stillNamed(
  { id, operation, target }: ListStep,
  rules: readonly ListNamingRule[],
): readonly GuardFinding[] {
  const users = operation === 'delete' ? rules.filter(({ lists }) => lists.has(target.name)) : [];
  const names = users.map(
    ({ ref, phase, scope }) => `${oneLine(ref)} of ${oneLine(scopeLabel(scope))}/${phase}`,
  );
  return users.length === 0
    ? []
    : [
        {
          kind: 'referenced',
          effect: 'refuse',
          step: id,
          message: `${id} would be deleted, but ${counted(users.length, 'rule')} still ${users.length === 1 ? 'names' : 'name'} it, and the service refuses that: ${someNames(names, MOST_NAMED)}. Remove the list from ${users.length === 1 ? 'it' : 'them'} first`,
        },
      ];
}

function emptied({ id, operation, base, items }: ListStep): readonly GuardFinding[] {
  const live = base.kind === 'list' ? base.items : 0;
  if (live === 0 || live + items.add.length > items.remove.length) {
    return [];
  }
  const what = operation === 'delete' ? 'would be deleted with' : 'would lose';
  const message = `${id} ${what} ${live === 1 ? 'its only item' : `all its ${live} items`}`;
  return [{ kind: 'emptied', effect: 'refuse', step: id, message }];
}

function isProtected({ id, operation, target }: ListStep, { protect }: Safety): readonly GuardFinding[] {
  const verb = operation === 'delete' ? 'deleted' : 'changed';
  return operation !== 'create' && matchesAny(protect, target.name)
    ? [{ kind: 'protected', effect: 'refuse', step: id, message: `${id} is protected and would be ${verb}` }]
    : [];
}

/** Items that are replaced by others are deleted items: additions do not make up for them. */
function thresholds({ id, base, items }: ListStep, safety: Safety): readonly GuardFinding[] {
  const live = base.kind === 'list' ? base.items : 0;
  const tally = { subject: id, step: id, live, deleted: items.remove.length, changed: 0 };
  return checkThresholds({ ...tally, what: 'items' }, safety);
}
