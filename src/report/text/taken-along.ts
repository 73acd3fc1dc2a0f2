import { describedName } from '../../model/index.ts';
import type { LiveRuleName } from '../../model/index.ts';
import type { Line, Look } from '../layout.ts';
import { layOut, line, span } from '../layout.ts';
import { hintLines, messageLines } from '../lines/finding-lines.ts';

/** Somebody else's rules that were lost when a list of rules was replaced, by ruleset; no rules when they are not known. */
interface Taken {
  readonly step: string;
  readonly rules: readonly LiveRuleName[];
  readonly message: string;
  readonly hint: string;
}

/** Formats which of somebody else's rules a crashed run removed, and what happens about it now. */
export function takenAlongText(taken: readonly Taken[], look: Look): string {
  return layOut(
    [
      line(0, span('warning', 'An earlier apply crashed while it replaced a list of rules, or right after:')),
      ...taken.flatMap(takenLines),
    ],
    look,
  );
}

function takenLines({ step, rules, message, hint }: Taken): readonly Line[] {
  return [
    line(2, span('strong', step)),
    ...messageLines(4, message),
    ...(rules.length === 0 ? hintLines(4, hint) : [line(4, `to be brought back: ${namesOf(rules)}`)]),
  ];
}

/** Formats which of these rules were restored. */
export function broughtBackText(
  outcomes: readonly { readonly step: string; readonly broughtBack: readonly LiveRuleName[] }[],
  look: Look,
): string {
  return layOut(
    outcomes.map(({ step, broughtBack }) =>
      line(0, span('good', 'Brought back'), ` in ${step}: ${namesOf(broughtBack)}`),
    ),
    look,
  );
}

function namesOf(rules: readonly LiveRuleName[]): string {
  return rules.map(({ ref, description = '' }) => describedName(ref, description)).join(', ');
}
