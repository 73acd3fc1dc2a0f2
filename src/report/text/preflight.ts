import { assertNever } from '../../data/index.ts';
import type { Preflight, StepPreflight, Unchecked } from '../../model/index.ts';
import { counted, countsText } from '../../text/index.ts';
import { differenceLines } from '../lines/difference.ts';
import type { Line, Look } from '../layout.ts';
import { BLANK, layOut, line, span } from '../layout.ts';
import { messageLines, refusalLines } from '../lines/finding-lines.ts';

/** Formats the service's answers to the writes of a plan. */
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

/**
 * Returns the counts: `Preflight of 4 steps: 2 passed, 1 passed in part, 1 not checked.` A step of which something could not be checked has not
 * passed.
 */
export function preflightSummary(steps: readonly StepPreflight[]): string {
  const count = (...kinds: readonly StepPreflight['kind'][]): number =>
    steps.filter(({ kind }) => kinds.includes(kind)).length;
  const inPart = steps.filter((step) => step.kind === 'passed' && step.unchecked.length > 0).length;
  const told = countsText([
    [count('passed') - inPart, 'passed'],
    [inPart, 'passed in part'],
    [count('refused'), 'refused'],
    [count('stale'), 'stale'],
    [count('failed', 'wrote'), 'failed'],
    [count('not-checked'), 'not checked'],
  ]);
  return `Preflight of ${counted(steps.length, 'step')}: ${told}.`;
}

/**
 * Returns why steps, or parts of them, were not checked, each reason once. A hint is preferred, because the text of the service's answer differs
 * between zones while the hint is the same.
 */
export function notCheckedReasons(steps: readonly StepPreflight[]): readonly string[] {
  return [
    ...new Set(
      steps.flatMap((step) =>
        step.kind === 'not-checked'
          ? [step.hint ?? step.reason]
          : 'unchecked' in step
            ? step.unchecked.map((part) => uncheckedText(part))
            : [],
      ),
    ),
  ];
}

function uncheckedText({ rule, reason }: Unchecked): string {
  return rule === undefined ? reason : `${rule}: ${reason}`;
}

/** Sorts steps by what their answers mean for an apply: it would fail, its success is unknown, or nothing stands in its way. */
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
      // A write that depends on something that the plan itself creates can never be checked beforehand.
      return found.code === 'depends' ? 'good' : 'warning';
    default:
      return 'error';
  }
}

/** Returns lines with the service's answer to one step. */
export function preflightLines(found: StepPreflight, width: number): readonly Line[] {
  const { step } = found;
  switch (found.kind) {
    case 'passed':
      return [
        line(2, span('good', found.unchecked.length > 0 ? 'in part      ' : 'passed       '), step),
        ...uncheckedLines(found.unchecked),
      ];
    case 'not-checked':
      return [
        line(2, span('warning', 'not checked  '), step),
        ...messageLines(6, found.reason),
        ...messageLines(6, found.hint, 'info'),
      ];
    case 'refused':
      return [
        line(2, span('error', 'refused      '), step),
        ...refusalLines(found.refusals, 6),
        ...uncheckedLines(found.unchecked),
      ];
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

function uncheckedLines(unchecked: readonly Unchecked[]): readonly Line[] {
  return unchecked.map((part) => line(6, span('dim', `not checked: ${uncheckedText(part)}`)));
}
