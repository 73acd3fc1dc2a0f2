import { changesAnything, readStepId } from '../../model/index.ts';
import type {
  Drift,
  Plan,
  PlannedScope,
  RulesetTarget,
  Step,
  Preflight,
  ReplayDocument,
  RuleChange,
  Scope,
  ListStep,
} from '../../model/index.ts';
import { counted } from '../../text/index.ts';
import type { ToldNote } from '../notes.ts';
import { isWarning, noteRules, shownNotes, toldNotes } from '../notes.ts';
import { byGravity, driftGraves, gravityOf, planGraves } from '../severity.ts';
import { inPieces, inTurn } from '../pieces.ts';
import { planNames } from '../plan-names.ts';
import { driftSummary, planSummary } from '../summary.ts';
import { ALIKE, alikeCount, shownPlans } from '../alike-plans.ts';
import type { ShownPlan } from '../alike-plans.ts';
import type { BesidePlan } from '../beside-plan.ts';
import { driftAttention, planAttention } from '../attention.ts';
import { blastRadius } from '../text/replay.ts';
import { notCheckedReasons, preflightLines, preflightSummary, weighPreflight } from '../text/preflight.ts';
import type { Gravity } from '../severity.ts';
import { listKindText, listStateText, listStepCounts, toldItems } from '../list-changes.ts';
import type { Telling } from '../telling.ts';
import { SYMBOLS } from '../telling.ts';
import { attentionBoxes, countBlocks } from './attention.ts';
import type { Block, SourceLinks } from './block.ts';
import {
  blockTexts,
  fold,
  heading,
  list,
  paragraph,
  nameRows,
  scopeHeading,
  code,
  proseLines,
  causeLink,
  WIDTH,
  plainBlocks,
  htmlCode,
  prose,
} from './block.ts';
import type { MarkdownTelling } from './step-fold.ts';
import { stepFold, targetCell } from './step-fold.ts';

/** The maximum number of rows: a longer table would push the findings out of sight, and the details follow anyway. */
const MOST_ROWS = 12;

const COLUMNS: Readonly<Record<Telling['kind'], readonly (readonly [string, RuleChange['kind']])[]>> = {
  plan: [
    ['Add', 'add'],
    ['Patch', 'patch'],
    ['Move', 'move'],
    ['Delete', 'delete'],
  ],
  drift: [
    ['Only live', 'delete'],
    ['Missing', 'add'],
    ['Changed', 'patch'],
    ['Moved', 'move'],
  ],
};

/** The columns of grave changes with their titles; the first two are shown only if they are not empty. */
const GRAVE_COLUMNS: readonly (readonly [Readonly<Record<Telling['kind'], string>>, keyof Gravity])[] = [
  [{ plan: 'May stop or redirect every request', drift: 'May stop or redirect every request' }, 'ending'],
  [{ plan: 'May bypass protection', drift: 'May bypass protection' }, 'opening'],
  [{ plan: 'Weakens', drift: 'Weaker' }, 'lowering'],
];

type GraveColumns = readonly (keyof Gravity)[];

/** The maximum number of further rows in the fold below the table, which keeps to the room of a comment. */
const MOST_FOLDED = 200;

/** Returns a table of counts with a row per ruleset. When there are many, the gravest come first and most are in a fold. */
function summaryTable(plans: readonly ShownPlan[], telling: MarkdownTelling): readonly Block[] {
  const rows = plans.flatMap((shown) => rowsOf(shown, telling));
  if (rows.length === 0) {
    return [];
  }
  const grave = GRAVE_COLUMNS.filter(
    ([, of]) => of === 'lowering' || rows.some(({ counts }) => counts[of] > 0),
  );
  const numbers = [
    ...COLUMNS[telling.kind].map(([title]) => title),
    ...grave.map(([title]) => title[telling.kind]),
  ];
  const columns = grave.map(([, of]) => of);
  const table = (some: readonly Row[], rest: readonly Row[], where: string): Block => ({
    kind: 'table',
    words: ['Scope', 'Ruleset'],
    numbers,
    rows: [...some.map((row) => rowCells(row, columns)), ...restCells(rest, where, columns)],
  });
  if (rows.length <= MOST_ROWS) {
    return [table(rows, [], '')];
  }
  const sorted = rows.toSorted(({ counts: a }, { counts: b }) => byGravity(a, b));
  const [shown, rest] = [sorted.slice(0, MOST_ROWS - 1), sorted.slice(MOST_ROWS - 1)];
  return [
    table(shown, rest, 'below'),
    ...fold(`${moreRulesets(rest)} at a glance`, [
      table(rest.slice(0, MOST_FOLDED), rest.slice(MOST_FOLDED), 'not listed here'),
    ]),
  ];
}

/** A ruleset, counted for all scopes that it stands for. */
interface Row {
  readonly scope: Scope;
  readonly others: readonly unknown[];
  readonly target: RulesetTarget;
  readonly counts: Counts;
}

function rowsOf({ plan: { scope, steps }, others }: ShownPlan, telling: MarkdownTelling): readonly Row[] {
  return steps.map((step) => ({
    scope,
    others,
    target: step.target,
    counts: countsOf(step, others.length + 1, telling),
  }));
}

function rowCells({ scope, others, target, counts }: Row, grave: GraveColumns): readonly string[] {
  return [
    `${scope.kind} ${code(scope.name)}${alikeCount(scope.kind, others)}`,
    targetCell(target),
    ...cells([counts], grave),
  ];
}

/** Returns the last row, which sums up the rulesets without a row of their own. */
function restCells(rest: readonly Row[], where: string, grave: GraveColumns): readonly (readonly string[])[] {
  const counts = rest.map((row) => row.counts);
  return rest.length === 0 ? [] : [['', `${moreRulesets(rest)}, ${where}`, ...cells(counts, grave)]];
}

function moreRulesets(rest: readonly Row[]): string {
  return counted(sum(rest.map(({ others }) => others.length + 1)), 'more ruleset');
}

interface Counts extends Gravity {
  readonly changes: readonly number[];
}

/** Counts the changes of a ruleset in `scopes` scopes. */
function countsOf(step: Step, scopes: number, { kind, graves }: MarkdownTelling): Counts {
  const { ending, opening, lowering } = gravityOf([step], graves);
  return {
    changes: COLUMNS[kind].map(([, verb]) => step.changes.filter((one) => one.kind === verb).length * scopes),
    ending: ending * scopes,
    opening: opening * scopes,
    lowering: lowering * scopes,
  };
}

/** Returns the cells with the total counts of rulesets. */
function cells(counts: readonly Counts[], grave: GraveColumns): readonly string[] {
  const [first] = counts;
  return [
    ...(first?.changes ?? []).map((_, column) =>
      cell(sum(counts.map(({ changes }) => changes[column] ?? 0))),
    ),
    ...grave.map((of) => graveCell(sum(counts.map((one) => one[of])))),
  ];
}

function sum(numbers: readonly number[]): number {
  return numbers.reduce((total, number) => total + number, 0);
}

function cell(count: number): string {
  return count === 0 ? '' : `${count}`;
}

function graveCell(count: number): string {
  return count === 0 ? '' : `⚠️ ${count}`;
}

/** Formats a plan as Markdown, for a pull request. */
export function planMarkdown(plan: Plan, links: SourceLinks, beside: BesidePlan = {}): Iterable<string> {
  return markdown(inTurn([heading('Rulewright plan')], planBlocks(plan, links, beside)));
}

/** Formats drift as Markdown, for an issue. */
export function driftMarkdown(drift: Drift, links: SourceLinks): Iterable<string> {
  return markdown(inTurn([heading('Rulewright drift')], driftBlocks(drift, links)));
}

/** Formats blocks one by one as they are written. */
function markdown(blocks: Iterable<Block>): Iterable<string> {
  return inPieces(inTurn(blockTexts(blocks), ['\n']));
}

/**
 * Yields what a plan changes: counts, what must not be overlooked, a table, the service's answers, then the scopes, gravest first, with
 * each ruleset in a fold. Everything before the scopes is enough to decide.
 */
export function* planBlocks(
  plan: Plan,
  links: SourceLinks,
  { preflight = null, replay = null, moment }: BesidePlan = {},
): Iterable<Block> {
  const telling: MarkdownTelling = {
    kind: 'plan',
    links,
    graves: planGraves(plan),
    names: planNames(plan),
  };
  const shown = gravestPlans(plan, telling);
  const items = planAttention(plan);
  yield paragraph(`**${planSummary(plan)}**`);
  yield* countBlocks(items);
  yield* attentionBoxes(items, { links, moment, of: plan.scopes.length });
  yield* summaryTable(shown, telling);
  yield* preflightBlocks(preflight);
  yield* replayBlocks(replay);
  yield* scopeBlocks(shown, telling);
}

/** Yields how live differs from the files: the changes of the plan, seen from the other side. */
export function* driftBlocks(drift: Drift, links: SourceLinks): Iterable<Block> {
  const { plan, changes } = drift;
  const telling: MarkdownTelling = {
    kind: 'drift',
    links,
    graves: driftGraves(changes),
    names: planNames(plan),
  };
  const shown = gravestPlans(plan, telling);
  const items = driftAttention(drift);
  yield paragraph(`**${driftSummary(plan)}**`);
  yield* countBlocks(items);
  yield* attentionBoxes(items, { links, of: plan.scopes.length });
  yield* summaryTable(shown, telling);
  if (changesAnything(plan)) {
    yield paragraph('In the differences below, `-` is what the files say and `+` is what is live.');
  }
  yield* scopeBlocks(shown, telling);
}

/** Returns the plans to show, gravest first; each plan is examined once for that. */
function gravestPlans({ scopes }: Plan, { graves }: MarkdownTelling): readonly ShownPlan[] {
  return shownPlans(scopes)
    .map((one) => ({ one, gravity: gravityOf(one.plan.steps, graves) }))
    .toSorted((a, b) => byGravity(a.gravity, b.gravity))
    .map(({ one }) => one);
}

function* scopeBlocks(shown: readonly ShownPlan[], telling: MarkdownTelling): Iterable<Block> {
  for (const { plan, others } of shown) {
    const { kind, name } = plan.scope;
    yield scopeHeading(`${kind} ${code(name)}${alikeCount(kind, others)}`, others.length + 1);
    yield* alikeBlocks(others.map(({ scope }) => scope.name));
    yield* listFolds(plan, 'first', telling);
    yield* plan.steps.map((step) => stepFold(step, telling));
    yield* listFolds(plan, 'last', telling);
    yield* notesFold(plan, telling.links);
  }
}

/** Returns a fold for each list whose turn comes before the rulesets, or after them. */
function listFolds(
  { objects = [] }: PlannedScope,
  turn: ListStep['turn'],
  { kind }: MarkdownTelling,
): readonly Block[] {
  return objects
    .filter((step) => step.turn === turn)
    .flatMap((step) => {
      const { items, more } = toldItems(step, kind);
      const { protection, description, target } = step;
      const state = listStateText(step, kind);
      const weakens = protection.kind === 'weakening' && kind === 'plan';
      return fold(
        `<b>${htmlCode(target.name)}</b> · ${listKindText(step)}${state === '' ? '' : ` · ${state}`} · ${listStepCounts(step, kind)}${weakens ? ' · ⚠️ weakens' : ''}`,
        [
          ...(weakens ? [paragraph(`weakens: ${prose(protection.reason)}`)] : []),
          ...(description === undefined
            ? []
            : [paragraph(`description: ${code(description.before)} → ${code(description.after)}`)]),
          ...list(items.map((item) => `${code(SYMBOLS[kind][item.kind].sign)} ${code(item.text)}`)),
          ...(more === null ? [] : [paragraph(more)]),
        ],
      );
    });
}

/** Returns the names of all scopes that are grouped with another one, in a fold when they are many. */
export function alikeBlocks(names: readonly string[]): readonly Block[] {
  const rows = nameRows(names.map(code));
  return rows.length > 1 ? fold(ALIKE, list(rows)) : rows.map((row) => paragraph(`${ALIKE}: ${row}`));
}

function notesFold(plan: PlannedScope, links: SourceLinks): readonly Block[] {
  const notes = shownNotes(plan);
  const warnings = notes.filter(({ kind }) => isWarning(kind)).length;
  const counts = [
    ...(warnings === 0 ? [] : [`⚠️ ${counted(warnings, 'warning')}`]),
    ...(warnings === notes.length ? [] : [counted(notes.length - warnings, 'note')]),
  ];
  return fold(counts.join(', '), list(toldNotes(notes).map((note) => noteItem(note, links))));
}

function noteItem(told: ToldNote, links: SourceLinks): string {
  const { kind, step, message, cause } = told.note;
  const about = noteRules(told, code);
  return [
    `${isWarning(kind) ? '⚠️ ' : ''}${about === '' ? '' : `${about} in `}${code(readStepId(step).ruleset)}`,
    ...(cause === undefined || told.rules.length > 0 ? [] : [causeLink(cause, links)]),
    proseLines(message),
  ].join(' · ');
}

/** Returns what the plan would have done to recorded requests; nothing when none were replayed. */
function replayBlocks(replay: ReplayDocument | null): readonly Block[] {
  if (replay === null) {
    return [];
  }
  const { summary, lines, rules } = blastRadius(replay);
  return [
    paragraph(`**${proseLines(summary)}**`),
    ...fold('What these requests are', plainBlocks(lines)),
    ...fold('What each rule would have done', plainBlocks(rules)),
  ];
}

/** Returns the service's answers to the writes of a plan; nothing when it was not asked. */
function preflightBlocks(preflight: Preflight | null): readonly Block[] {
  if (preflight === null || preflight.steps.length === 0) {
    return [];
  }
  const { error, warning, good } = weighPreflight(preflight);
  const mark = error.length > 0 ? '❌ ' : warning.length > 0 ? '⚠️ ' : '';
  return [
    paragraph(`${mark}**${preflightSummary(preflight.steps)}**`),
    ...plainBlocks(error.flatMap((step) => preflightLines(step, WIDTH))),
    ...list(notCheckedReasons(warning).map((reason) => `⚠️ not checked: ${proseLines(reason)}`)),
    ...fold(
      'What the service says to each step',
      plainBlocks([...warning, ...good].flatMap((step) => preflightLines(step, WIDTH))),
    ),
  ];
}
