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
      ...emptied(step),
      ...isProtected(step, safety),
      ...judged.findings.map((one) => ({ ...one, effect: safety.weakened })),
      ...thresholds(step, safety),
    ]),
  ];
  return {
    ...plan,
    objects,
    findings: [...plan.findings, ...withoutAllowed(findings, safety, today)],
  };
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
