import { assertNever } from '../../model/assert-never.ts';
import type { Preflight, StepPreflight } from '../../model/preflight.ts';
import { counted, countsText } from '../../model/count.ts';
import { differenceLines } from '../lines/difference.ts';
import type { Line } from '../layout.ts';
import { BLANK, layOut, line, span } from '../layout.ts';
import { messageLines } from '../lines/message.ts';
import { refusalLines } from '../lines/refusal.ts';
import type { Look } from '../theme.ts';

/** What the service says to a plan whose writes it was asked to check. */
export function preflightText({ steps }: Preflight, look: Look): string {
  return layOut(
    [
      line(0, span('strong', 'Preflight: what the service says to these writes')),
      BLANK,
      ...steps.flatMap((step) => preflightLines(step, look.width)),
      BLANK,
      line(0, span('strong', preflightSummary(steps))),
    ],
    look,
  );
}

/** Counts: `Preflight: 3 steps passed, 1 not checked.` */
export function preflightSummary(steps: readonly StepPreflight[]): string {
  const count = (...kinds: readonly StepPreflight['kind'][]): number =>
    steps.filter(({ kind }) => kinds.includes(kind)).length;
  const told = countsText([
    [count('passed'), 'passed'],
    [count('refused'), 'refused'],
    [count('stale'), 'stale'],
    [count('failed', 'wrote'), 'failed'],
    [count('not-checked'), 'not checked'],
  ]);
  return `Preflight of ${counted(steps.length, 'step')}: ${told}.`;
}

/** Why steps were not checked, each reason once. What an answer of the service comes to is the same in many zones, its text is not. */
export function notCheckedReasons(steps: readonly StepPreflight[]): readonly string[] {
  return [
    ...new Set(steps.flatMap((step) => (step.kind === 'not-checked' ? [step.hint ?? step.reason] : []))),
  ];
}

/** Steps by what their answers mean for an apply: it would not be carried out; that is not known; nothing stands against it. */
export function weighPreflight({ steps }: Preflight): Readonly<Record<Weight, readonly StepPreflight[]>> {
  const of = (weight: Weight): readonly StepPreflight[] => steps.filter((step) => weightOf(step) === weight);
  return { error: of('error'), warning: of('warning'), good: of('good') };
}

type Weight = 'error' | 'warning' | 'good';

function weightOf(found: StepPreflight): Weight {
  switch (found.kind) {
    case 'passed':
      return 'good';
    case 'not-checked':
      // What the plan itself makes first can never be checked before.
      return found.code === 'depends' ? 'good' : 'warning';
    default:
      return 'error';
  }
}

/** What the service says to one step. */
export function preflightLines(found: StepPreflight, width: number): readonly Line[] {
  const { step } = found;
  switch (found.kind) {
    case 'passed':
      return [
        line(2, span('good', 'passed       '), step),
        ...found.unchecked.map(({ rule, reason }) =>
          line(6, span('dim', `not checked: ${rule === undefined ? '' : `${rule}: `}${reason}`)),
        ),
      ];
    case 'not-checked':
      return [
        line(2, span('warning', 'not checked  '), step),
        ...messageLines(6, found.reason),
        ...messageLines(6, found.hint, 'info'),
      ];
    case 'refused':
      return [line(2, span('error', 'refused      '), step), ...refusalLines(found.refusals, 6)];
    case 'stale':
      return [
        line(2, span('warning', 'stale        '), step),
        ...messageLines(6, found.message),
        ...differenceLines(found.difference, 6, width),
      ];
    case 'failed':
    case 'wrote':
      return [
        line(2, span('error', found.kind === 'wrote' ? 'HAS WRITTEN  ' : 'failed       '), step),
        ...messageLines(6, found.message),
        ...messageLines(6, found.hint, 'info'),
      ];
    default:
      return assertNever(found);
  }
}
