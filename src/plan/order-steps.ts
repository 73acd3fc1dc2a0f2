import { isReplaced, isWritten, phaseOrder, rulesetReferences } from '../model/index.ts';
import { compareText, slug } from '../text/index.ts';
import type { Step } from '../model/index.ts';

/** Steps ordered so that each can be carried out in turn, or the ids of steps that wait for each other. */
export type OrderedSteps =
  | { readonly kind: 'ordered'; readonly steps: readonly Step[] }
  | { readonly kind: 'cycle'; readonly steps: readonly string[] };

/**
 * Orders the steps of a scope so that each can be carried out in turn: a custom ruleset is created or changed before the rules that name it,
 * and deleted after the last rule that named it is gone, whether those rules stand in entry points or in other custom rulesets. Without
 * dependencies: custom rulesets, entry points, deletions; then phases in order of execution; then by step id.
 */
export function orderSteps(steps: readonly Step[]): OrderedSteps {
  if (steps.length < 2) {
    return { kind: 'ordered', steps: steps.map((step): Step => ({ ...step, after: [] })) };
  }
  const waiting = [...steps]
    .sort(
      (a, b) =>
        tier(a) - tier(b) ||
        phaseOrder(a.target.phase) - phaseOrder(b.target.phase) ||
        compareText(a.id, b.id),
    )
    .map((step, _index, all): Step => ({ ...step, after: dependencies(step, all) }));
  const ordered: Step[] = [];
  const done = new Set<string>();
  while (waiting.length > 0) {
    const next = waiting.findIndex((step) => step.after.every((id) => done.has(id)));
    const [step] = next === -1 ? [] : waiting.splice(next, 1);
    if (step === undefined) {
      return { kind: 'cycle', steps: waiting.map(({ id }) => id) };
    }
    ordered.push(step);
    done.add(step.id);
  }
  return { kind: 'ordered', steps: ordered };
}

function tier(step: Step): number {
  if (step.operation === 'delete') {
    return step.target.level === 'custom' ? 3 : 2;
  }
  return step.target.level === 'custom' ? 0 : 1;
}

function dependencies(step: Step, all: readonly Step[]): readonly string[] {
  const needs =
    step.operation === 'delete'
      ? (other: Step): boolean => step.base.kind === 'version' && drops(other, step.base.id)
      : (other: Step): boolean => isNeededBy(other, step);
  return all.filter((other) => other.id !== step.id && needs(other)).map((other) => other.id);
}

/** Whether a step removes or replaces a rule that refers to a ruleset. */
function drops(step: Step, rulesetId: string): boolean {
  return step.changes.some(
    (change) => isReplaced(change) && rulesetReferences(change.before).includes(rulesetId),
  );
}

/** Whether `step` creates or changes a custom ruleset that a rule written by `user` names. */
function isNeededBy(step: Step, user: Step): boolean {
  if (step.target.level !== 'custom' || step.operation === 'delete') {
    return false;
  }
  const names = new Set([
    `custom:${slug(step.target.name)}`,
    ...(step.base.kind === 'version' ? [step.base.id] : []),
  ]);
  return user.changes.some(
    (change) =>
      isWritten(change) && rulesetReferences(change.content).some((reference) => names.has(reference)),
  );
}
