import { assertNever } from '../data/index.ts';
import type { Preflight, StepPreflight, Unchecked } from '../model/index.ts';
import { counted, countsText } from '../text/index.ts';
import { liveDifferenceBlocks, refusalBlocks } from './live-blocks.ts';
import type { Block, EntryBlock, StyledSpan } from './tree.ts';
import { entry, hintBlocks, message, messageBlocks, paragraph, section, span } from './tree.ts';

/** Returns the service's answers to the writes of a plan: what would fail, why something was not checked, then the rest in a fold. */
export function preflightBlocks(preflight: Preflight): readonly Block[] {
  const { error, warning, good } = weighPreflight(preflight);
  const rest = [...warning, ...good];
  return preflight.steps.length === 0
    ? []
    : [
        section(
          2,
          [span('strong', 'Preflight: what the service says to these writes')],
          [
            ...error.map(stepEntry),
            ...notCheckedReasons(warning).map((reason) =>
              entry({ sign: '!', style: 'warning' }, ['not checked: ', message(reason)]),
            ),
            ...(rest.length === 0
              ? []
              : [
                  section(3, ['What the service says to each step'], rest.map(stepEntry), {
                    folded: true,
                    close: true,
                  }),
                ]),
          ],
        ),
      ];
}

/** Returns the counts of a preflight as part of a summary. */
export function preflightSpan(preflight: Preflight): StyledSpan {
  const { error, warning } = weighPreflight(preflight);
  const style = error.length > 0 ? 'error' : warning.length > 0 ? 'warning' : 'strong';
  return span(style, preflightSummary(preflight.steps));
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

/** Returns the service's answer to one step. */
function stepEntry(found: StepPreflight): EntryBlock {
  const title = [span('code', found.step)];
  switch (found.kind) {
    case 'passed':
      return entry({ word: found.unchecked.length > 0 ? 'in part' : 'passed', style: 'good' }, title, {
        body: uncheckedBlocks(found.unchecked),
      });
    case 'not-checked':
      return entry({ word: 'not checked', style: 'warning' }, title, {
        body: [...messageBlocks(found.reason), ...hintBlocks(found.hint)],
      });
    case 'refused':
      return entry({ word: 'refused', style: 'error' }, title, {
        body: [...refusalBlocks(found.refusals), ...uncheckedBlocks(found.unchecked)],
      });
    case 'stale':
      return entry({ word: 'stale', style: 'warning' }, title, {
        body: [...messageBlocks(found.message), ...liveDifferenceBlocks(found.difference)],
      });
    case 'failed':
    case 'wrote':
      return entry({ word: found.kind === 'wrote' ? 'HAS WRITTEN' : 'failed', style: 'error' }, title, {
        body: [...messageBlocks(found.message), ...hintBlocks(found.hint)],
      });
    default:
      return assertNever(found);
  }
}

function uncheckedBlocks(unchecked: readonly Unchecked[]): readonly Block[] {
  return unchecked.map((part) => paragraph(span('dim', `not checked: ${uncheckedText(part)}`)));
}
