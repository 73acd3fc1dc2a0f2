import type { RuleChange } from '../../model/change.ts';
import type { Step } from '../../model/plan.ts';
import type { ShownPlan } from '../alike-plans.ts';
import { alikeCount } from '../alike-plans.ts';
import { counted } from '../count.ts';
import { countReasons } from '../lowering.ts';
import type { Telling } from '../telling.ts';
import type { Block } from './block.ts';
import { code } from './escape-markdown.ts';
import type { MarkdownTelling } from './rule-block.ts';
import { targetCell } from './step-fold.ts';

/** Rows shown at most; a longer table would push the findings out of sight, and the details follow anyway. */
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

/** What changes in numbers, a row a ruleset; where there are many, those that weaken protection first. */
export function summaryTable(plans: readonly ShownPlan[], telling: MarkdownTelling): readonly Block[] {
  const { kind } = telling;
  const rows = plans.flatMap(({ plan: { scope, steps }, others }) =>
    steps.map((step) => ({
      scope,
      others,
      target: step.target,
      counts: countsOf(step, others.length + 1, telling),
    })),
  );
  if (rows.length === 0) {
    return [];
  }
  const many = rows.length > MOST_ROWS;
  const weakest = [...rows].sort((a, b) => b.counts.weakening - a.counts.weakening);
  const shown = many ? weakest.slice(0, MOST_ROWS - 1) : rows;
  const rest = rows.filter((row) => !shown.includes(row));
  return [
    {
      kind: 'table',
      head: [
        'Scope',
        'Ruleset',
        ...COLUMNS[kind].map(([title]) => title),
        kind === 'plan' ? 'Weakens' : 'Weaker',
      ],
      rows: [
        ...shown.map(({ scope, others, target, counts }) => [
          `${scope.kind} ${code(scope.name)}${alikeCount(scope.kind, others)}`,
          targetCell(target),
          ...cells([counts]),
        ]),
        ...(rest.length === 0
          ? []
          : [
              [
                '',
                `${counted(sum(rest.map(({ others }) => others.length + 1)), 'more ruleset')}, below`,
                ...cells(rest.map(({ counts }) => counts)),
              ],
            ]),
      ],
    },
  ];
}

interface Counts {
  readonly changes: readonly number[];
  readonly weakening: number;
}

/** What changes in a ruleset of so many scopes. */
function countsOf(step: Step, scopes: number, { kind, lowering }: MarkdownTelling): Counts {
  return {
    changes: COLUMNS[kind].map(([, verb]) => step.changes.filter((one) => one.kind === verb).length * scopes),
    weakening: countReasons(step, lowering) * scopes,
  };
}

/** The counts of some rulesets together. */
function cells(counts: readonly Counts[]): readonly string[] {
  const [first] = counts;
  const weakening = sum(counts.map((one) => one.weakening));
  return [
    ...(first?.changes ?? []).map((_, column) =>
      cell(sum(counts.map(({ changes }) => changes[column] ?? 0))),
    ),
    weakening === 0 ? '' : `⚠️ ${weakening}`,
  ];
}

function sum(numbers: readonly number[]): number {
  return numbers.reduce((total, number) => total + number, 0);
}

function cell(count: number): string {
  return count === 0 ? '' : `${count}`;
}
