import { assertNever } from '../../data/index.ts';
import type {
  LiveDifference,
  Outcome,
  Rollback,
  PlanDifference,
  PlanNote,
  OutcomesDocument,
} from '../../model/index.ts';
import { isAchieved, describedName, readStepId } from '../../model/index.ts';
import { noteRule } from '../notes.ts';
import { alikeDifferences, alikeOutcomes } from '../group-outcomes.ts';
import type { AlikeScopes } from '../alike-scopes.ts';
import { alikeCount } from '../alike-plans.ts';
import { outcomeMessages, outcomesSummary } from '../outcomes-summary.ts';
import { kindOf, nameOf } from '../without-name.ts';
import { counted } from '../../text/index.ts';
import { differenceLines, foreignLines } from '../lines/difference.ts';
import { refusalLines } from '../lines/finding-lines.ts';
import { outcomesAttention } from '../attention.ts';
import { attentionBoxes } from './attention.ts';
import { stepsText } from '../list-changes.ts';
import type { Block } from './block.ts';
import {
  blocksText,
  fold,
  heading,
  list,
  paragraph,
  code,
  htmlCode,
  prose,
  proseLines,
  WIDTH,
  plainBlocks,
} from './block.ts';
import { alikeBlocks } from './plan-markdown.ts';
import { fieldDifference } from './step-fold.ts';

/** Formats the outcomes of a plan's steps as Markdown. */
export function outcomesMarkdown(document: OutcomesDocument): string {
  return `${blocksText([heading('Rulewright apply'), ...outcomesBlocks(document)])}\n`;
}

/** Returns the summary, what stopped the run, then each ruleset: those that are not done come first and unfolded. */
export function outcomesBlocks(document: OutcomesDocument): readonly Block[] {
  const { outcomes, rollback, leftOut = [], dryRun, differences = [] } = document;
  const done = outcomes.filter(isAchieved);
  const undone = alikeOutcomes(outcomes.filter((outcome) => !isAchieved(outcome)));
  return [
    paragraph(`**${outcomesSummary(document)}**`),
    ...attentionBoxes(outcomesAttention(document), { links: null, moment: 'run', all: true }),
    ...differenceBlocks(differences),
    ...undone.flatMap(groupBlocks),
    ...(rollback === undefined ? [] : rollbackBlocks(rollback)),
    ...fold(`${counted(leftOut.length, 'change')} left out`, list(leftOut.map(noteItem))),
    ...fold(
      `${stepsText(done.map(({ step }) => step))} ${differences.length > 0 ? 'already as reviewed' : dryRun ? 'checked' : 'done'}`,
      [...list(done.map(doneItem)), ...done.flatMap(normalisedBlocks)],
    ),
  ];
}

/** Returns what was restored after a failure, what could not be, and what has a new id. */
function rollbackBlocks({ outcomes, notes }: Rollback): readonly Block[] {
  const restored = outcomes.filter(isAchieved);
  const items = [...restored.map((outcome) => `put back: ${doneItem(outcome)}`), ...notes.map(noteItem)];
  return [
    paragraph(`**Rollback**${outcomes.length === 0 ? ': there was nothing to put back.' : ''}`),
    ...alikeOutcomes(outcomes.filter((outcome) => !isAchieved(outcome))).flatMap(groupBlocks),
    ...list(items),
  ];
}

function noteItem(note: PlanNote): string {
  const rule = noteRule(note);
  return `${code(note.step)}${rule === '' ? '' : ` ${code(rule)}`}: ${prose(note.message)}`;
}

/** The words for a kind of difference, and what the signs of its fields stand for. */
const SIDES: Readonly<Record<PlanDifference['kind'], readonly [words: string, signs: string]>> = {
  'only-reviewed': ['only reviewed', '− live at the review, + reviewed'],
  'only-fresh': ['only now', '− live, + after apply'],
  different: ['differs', '− reviewed, + now'],
};

function differenceBlocks(differences: readonly PlanDifference[]): readonly Block[] {
  return alikeDifferences(differences).flatMap(({ places, others }) => [
    ...[...places].map(([place, members]): Block => ({
      kind: 'fold',
      summary: `Not as reviewed: ${htmlCode(place)}${alikeCount(kindOf(place), others)}`,
      body: members.map(differenceBlock),
    })),
    ...alikeBlocks(others.map(nameOf)),
  ]);
}

function differenceBlock({ kind, rule, description = '', message, fields = [] }: PlanDifference): Block {
  const about = rule === undefined ? '' : ` ${code(describedName(rule, description))}`;
  const [words, signs] = SIDES[kind];
  const title = `**${words}**${about}: ${proseLines(message)}`;
  return fields.length === 0
    ? paragraph(title)
    : { kind: 'code', title: `${title} (${signs})`, language: 'diff', lines: fieldDifference(fields) };
}

function groupBlocks({ scope, members, others }: AlikeScopes<Outcome>): readonly Block[] {
  const where = `${code(scope)}${alikeCount(kindOf(scope), others)}`;
  return [...members.flatMap((outcome) => failureBlocks(outcome, where)), ...alikeBlocks(others.map(nameOf))];
}

function failureBlocks(outcome: Outcome, where: string): readonly Block[] {
  const title = `❌ **${outcome.kind.replace('-', ' ')}** ${where} ${code(readStepId(outcome.step).ruleset)}`;
  const said = outcomeMessages(outcome).map(proseLines).join('<br>');
  switch (outcome.kind) {
    case 'done':
    case 'skipped':
      return [];
    case 'not-reached':
      return [paragraph(`${title}: ${said}`)];
    case 'refused':
      return [
        paragraph(`${title}: ${said} (${code(outcome.code)})${hint(outcome.hint)}`),
        ...(outcome.difference === undefined ? [] : liveBlocks(outcome.difference)),
      ];
    case 'failed':
      return [
        paragraph(`${title}: ${said} (${code(outcome.code)})${hint(outcome.hint)}`),
        ...plainBlocks(refusalLines(outcome.refusals ?? [], 0)),
      ];
    case 'conflict':
      return [
        paragraph(`${title}: ${said}${hint(outcome.hint)}`),
        ...plainBlocks(foreignLines(outcome, 0, WIDTH)),
      ];
    default:
      return assertNever(outcome);
  }
}

function liveBlocks(difference: LiveDifference): readonly Block[] {
  return plainBlocks(differenceLines(difference, 0, WIDTH));
}

function hint(text: string | undefined): string {
  return text === undefined ? '' : `<br>${proseLines(text)}`;
}

function doneItem(outcome: Outcome): string {
  const { scope, ruleset } = readStepId(outcome.step);
  const name = `${code(scope)} ${code(ruleset)}`;
  if (outcome.kind === 'done') {
    const version = outcome.version === null ? '' : `version ${code(outcome.version)}, `;
    return `✅ ${name}: ${version}${counted(outcome.writes, 'write')}`;
  }
  if (outcome.kind === 'skipped' && outcome.toWrite !== undefined) {
    return `${name}: ${counted(outcome.toWrite, 'write')} to make`;
  }
  return `${name}: skipped${outcome.kind === 'skipped' ? `, ${prose(outcome.reason)}` : ''}`;
}

function normalisedBlocks(outcome: Outcome): readonly Block[] {
  return outcome.kind === 'done'
    ? (outcome.normalised ?? []).map(({ rule, fields }) => ({
        kind: 'code',
        title: `${code(rule)} is kept by the service in its own form:`,
        language: 'diff',
        lines: fieldDifference(fields),
      }))
    : [];
}
