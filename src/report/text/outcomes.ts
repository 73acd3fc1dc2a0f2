import { assertNever } from '../../data/index.ts';
import type { Outcome, Rollback } from '../../model/index.ts';
import { isFailure, isVersion, readStepId } from '../../model/index.ts';
import { noteRule } from '../notes.ts';
import { someNames, counted } from '../../text/index.ts';
import type { AlikeScopes } from '../alike-scopes.ts';
import { alikeOutcomes } from '../group-outcomes.ts';
import { outcomeMessages, FATE_WORDS, fateOf, outcomesSummary } from '../outcomes-summary.ts';
import { alikeCount } from '../alike-plans.ts';
import { kindOf, nameOf } from '../without-name.ts';
import { differenceLines, fieldsOf, foreignLines } from '../lines/difference.ts';
import type { OutcomeFate, SummedOutcomes } from '../outcomes-summary.ts';
import type { Line, StyledSpan, Look, Style } from '../layout.ts';
import { BLANK, hanging, layOut, line, span } from '../layout.ts';
import { messageLines, refusalLines } from '../lines/finding-lines.ts';
import { alikeLines } from '../lines/step-lines.ts';

/** The result of an apply, and the command for what is left; null for none. */
interface OutcomesReport extends SummedOutcomes {
  readonly next?: string | null;
}

/** Formats the outcome of each step, the counts, and the command to continue. */
export function outcomesText(report: OutcomesReport, look: Look): string {
  const { next = null } = report;
  return layOut(
    [
      ...outcomesLines(alikeOutcomes(report.outcomes, look.detail), look.width),
      ...rollbackLines(report.rollback, look),
      line(0, span('strong', outcomesSummary(report))),
      ...stoppedLines(report.outcomes),
      ...(next === null ? [] : [line(0, 'To go on: ', ...fixFirst(report.outcomes), span('strong', next))]),
    ],
    look,
  );
}

/** What has to be mended first, since a new plan would have it again: the rules of files that the service refused. */
function fixFirst(outcomes: readonly Outcome[]): readonly string[] {
  const places = outcomes.flatMap((outcome) =>
    outcome.kind !== 'failed'
      ? []
      : (outcome.refusals ?? []).flatMap(({ cause }) =>
          cause === undefined || isVersion(cause) ? [] : [`${cause.file}:${cause.line}`],
        ),
  );
  return places.length === 0 ? [] : [`fix ${someNames([...new Set(places)], MOST_PLACES)}, then `];
}

const MOST_PLACES = 3;

/** Formats the outcome of each step, without a verdict on the run. */
export function stepOutcomesText(outcomes: readonly Outcome[], look: Look): string {
  return layOut(outcomesLines(alikeOutcomes(outcomes, look.detail), look.width), look);
}

/** Returns lines about the outcome of each step, by scope. */
export function outcomesLines(groups: readonly AlikeScopes<Outcome>[], width: number): readonly Line[] {
  return scopeLines(groups, FATE_WORDS, width);
}

function scopeLines(
  groups: readonly AlikeScopes<Outcome>[],
  words: typeof FATE_WORDS,
  width: number,
): readonly Line[] {
  return groups.flatMap(({ scope, members, others }) => [
    line(0, span('strong', scope), alikeCount(kindOf(scope), others)),
    ...members.flatMap((outcome) => outcomeLines(outcome, words, width)),
    ...(others.length === 0 ? [BLANK] : alikeLines(others.map(nameOf))),
  ]);
}

/** The number of outcomes that are still visible when the last line is. */
const IN_SIGHT = 10;

/** The number of rulesets that are named. */
const NAMED = 3;

/** Returns a line that repeats what stopped a long run. */
function stoppedLines(outcomes: readonly Outcome[]): readonly Line[] {
  const stopped = outcomes.filter(isFailure);
  const names = stopped.map(({ step }) => step);
  return outcomes.length <= IN_SIGHT || stopped.length === 0
    ? []
    : [line(0, span('error', 'Stopped at'), ` ${someNames(names, NAMED)}.`)];
}

/** Returns lines about what was restored of the run's writes, and what could not be. */
export function rollbackLines(
  rollback: Rollback | undefined,
  { width, detail }: Pick<Look, 'width' | 'detail'>,
): readonly Line[] {
  if (rollback === undefined) {
    return [];
  }
  const { outcomes, notes } = rollback;
  if (outcomes.length === 0) {
    return [line(0, 'Rollback: nothing was written, so there is nothing to put back.'), BLANK];
  }
  return [
    line(0, 'Rollback:'),
    ...scopeLines(alikeOutcomes(outcomes, detail), { ...FATE_WORDS, done: 'put back' }, width),
    ...notes.map((note) =>
      line(
        2,
        span('warning', note.rule === '' ? note.step : `${note.step}: ${noteRule(note)}`),
        ` ${note.message}`,
      ),
    ),
    ...(notes.length === 0 ? [] : [BLANK]),
  ];
}

/** The styles of the words for what became of a step. */
export const FATE_STYLES: Readonly<Record<OutcomeFate, Style>> = {
  done: 'good',
  skipped: 'dim',
  'to-do': 'info',
  refused: 'warning',
  failed: 'error',
  conflict: 'error',
  'not-reached': 'warning',
};

/** The width of the column with the word for an outcome. */
const WORD_COLUMN = 13;

function outcomeLines(outcome: Outcome, words: typeof FATE_WORDS, width: number): readonly Line[] {
  const fate = fateOf(outcome);
  const word = words[fate];
  const { tail, lines = [], hint } = detailsOf(outcome, width);
  return [
    hanging(
      2,
      WORD_COLUMN,
      span(FATE_STYLES[fate], word),
      `${' '.repeat(WORD_COLUMN - word.length)}${readStepId(outcome.step).ruleset}`,
      ...tail,
    ),
    ...outcomeMessages(outcome).flatMap((text) => messageLines(6, text)),
    ...lines,
    ...messageLines(6, hint, 'info'),
  ];
}

interface Details {
  /** The text after the name. */
  readonly tail: readonly StyledSpan[];
  /** The lines below the messages. */
  readonly lines?: readonly Line[];
  readonly hint?: string | undefined;
}

function detailsOf(outcome: Outcome, width: number): Details {
  switch (outcome.kind) {
    case 'done': {
      const version = outcome.version === null ? '' : `version ${outcome.version}, `;
      return {
        tail: [span('dim', `  ${version}${counted(outcome.writes, 'write')}`)],
        lines: (outcome.normalised ?? []).flatMap(({ rule, fields }) => [
          line(6, span('strong', rule), span('dim', '  kept by the service in its own form:')),
          ...fieldsOf(fields, 8, width),
        ]),
      };
    }
    case 'skipped':
      return {
        tail: outcome.toWrite === undefined ? [] : [span('dim', `  ${counted(outcome.toWrite, 'write')}`)],
      };
    case 'not-reached':
      return { tail: [] };
    case 'refused':
    case 'failed':
      return {
        tail: [span('dim', `  ${outcome.code}`)],
        lines:
          outcome.kind === 'failed'
            ? refusalLines(outcome.refusals ?? [], 6)
            : outcome.difference === undefined
              ? []
              : differenceLines(outcome.difference, 6, width),
        hint: outcome.hint,
      };
    case 'conflict':
      return {
        tail: [],
        lines: foreignLines(outcome, 6, width),
        hint: outcome.hint,
      };
    default:
      return assertNever(outcome);
  }
}
