import { momentText } from './moment.ts';
import type { RetirementPlan } from '../model/retirement.ts';
import { scopeLabel } from '../model/scope.ts';
import { counted } from './count.ts';
import { layOut, line, span } from './layout.ts';
import type { Look } from './theme.ts';

/** What a retirement that did not come to its end had deleted, and what became of the deletion that was in hand. */
export function unfinishedRetirementText(
  run: { readonly at: number; readonly deleted: readonly string[]; readonly inHand: string | null },
  plan: RetirementPlan,
  look: Look,
): string {
  const { at, deleted, inHand } = run;
  return layOut(
    [
      line(
        0,
        span('warning', 'An earlier retirement did not finish.'),
        ` It began ${momentText(new Date(at).toISOString())}; it crashed, or is still running. ${counted(deleted.length, 'old object')} had been deleted.`,
      ),
      ...(inHand === null
        ? []
        : [line(2, `${inHand}: its deletion was sent, and no answer is known; `, becameOf(inHand, plan))]),
      line(0, 'What is left is planned again.'),
    ],
    look,
  );
}

function becameOf(step: string, { scope, steps, kept }: RetirementPlan): string {
  if (!step.startsWith(`${scopeLabel(scope)}/`)) {
    return 'retire in that zone looks';
  }
  const isThere =
    steps.some(({ id }) => id === step) || kept.some(({ target }) => step.endsWith(`/${target.id}`));
  return isThere ? 'it is still there' : 'it is gone';
}
