import { describedNameOf, isTelling, causeText } from '../../model/index.ts';
import type { Step, DesiredScope, LiveEntry } from '../../model/index.ts';
import { isNaming, planScope } from '../../plan/index.ts';
import type { WholeScope } from '../../live/index.ts';

/**
 * Returns the steps that a plan of these files would have besides giving rules their first names, or why it fails; undefined if
 * there are none.
 */
export function stepsLeft(
  desired: DesiredScope,
  entries: readonly LiveEntry[],
  { scope, catalogue }: WholeScope,
): string | undefined {
  const plan = planScope(desired, { scope, entries, catalogue });
  if (plan.kind === 'failed') {
    return plan.error.message;
  }
  const steps = plan.steps.filter((step) => !onlyNames(step));
  return steps.length === 0 ? undefined : steps.map(({ id }) => id).join(', ');
}

/** Whether a step only gives unnamed live rules their first names; the files need not follow live in that. */
function onlyNames(step: Step): boolean {
  return (
    step.operation === 'update' &&
    step.description === undefined &&
    step.changes.every((change) => isNaming(change) && isTelling(change.ref))
  );
}

/** Names the rules that a plan of these files would change, each with its place in the files if it has one. */
export function rulesLeft(
  desired: DesiredScope,
  entries: readonly LiveEntry[],
  { scope, catalogue }: WholeScope,
): readonly string[] {
  const plan = planScope(desired, { scope, entries, catalogue });
  const changes = plan.kind === 'failed' ? [] : plan.steps.flatMap((step) => step.changes);
  return changes.map((change) =>
    change.kind === 'delete'
      ? describedNameOf(change)
      : `${describedNameOf(change)} (${causeText(change.cause)})`,
  );
}
