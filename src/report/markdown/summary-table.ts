import type { RuleChange } from '../../model/change.ts';
import type { RulesetTarget, Step } from '../../model/plan.ts';
import type { Scope } from '../../model/scope.ts';
import type { ShownPlan } from '../alike-plans.ts';
import { alikeCount } from '../alike-plans.ts';
import { counted } from '../../model/count.ts';
import type { Gravity } from '../lowering.ts';
import { byGravity, gravityOf } from '../lowering.ts';
import type { Telling } from '../telling.ts';
import type { Block } from './block.ts';
import { fold } from './block.ts';
import { code } from './escape-markdown.ts';
import type { MarkdownTelling } from './rule-block.ts';
import { targetCell } from './step-fold.ts';

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
export function summaryTable(plans: readonly ShownPlan[], telling: MarkdownTelling): readonly Block[] {
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
