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

/** What changes in numbers, a row a ruleset; where there are many, those first that end every request or weaken protection. */
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
  const ends = rows.some(({ counts }) => counts.ending > 0);
  const gravest = rows.toSorted(
    ({ counts: a }, { counts: b }) => b.ending - a.ending || b.weakening - a.weakening,
  );
  const shown = many ? gravest.slice(0, MOST_ROWS - 1) : rows;
  const rest = rows.filter((row) => !shown.includes(row));
  return [
    {
      kind: 'table',
      head: [
        'Scope',
        'Ruleset',
        ...COLUMNS[kind].map(([title]) => title),
        ...(ends ? ['Ends every request'] : []),
        kind === 'plan' ? 'Weakens' : 'Weaker',
      ],
      rows: [
        ...shown.map(({ scope, others, target, counts }) => [
          `${scope.kind} ${code(scope.name)}${alikeCount(scope.kind, others)}`,
          targetCell(target),
          ...cells([counts], ends),
        ]),
        ...(rest.length === 0
          ? []
          : [
              [
                '',
                `${counted(sum(rest.map(({ others }) => others.length + 1)), 'more ruleset')}, below`,
                ...cells(
                  rest.map(({ counts }) => counts),
                  ends,
                ),
              ],
            ]),
      ],
    },
  ];
}

interface Counts {
  readonly changes: readonly number[];
  readonly ending: number;
  readonly weakening: number;
}

/** What changes in a ruleset of so many scopes. */
function countsOf(step: Step, scopes: number, { kind, lowering, ending }: MarkdownTelling): Counts {
  return {
    changes: COLUMNS[kind].map(([, verb]) => step.changes.filter((one) => one.kind === verb).length * scopes),
    ending: countReasons(step, ending) * scopes,
    weakening: countReasons(step, lowering) * scopes,
  };
}

/** The counts of some rulesets together; `ends`: with a cell for what ends every request. */
function cells(counts: readonly Counts[], ends: boolean): readonly string[] {
  const [first] = counts;
  return [
    ...(first?.changes ?? []).map((_, column) =>
      cell(sum(counts.map(({ changes }) => changes[column] ?? 0))),
    ),
    ...(ends ? [grave(sum(counts.map(({ ending }) => ending)))] : []),
    grave(sum(counts.map(({ weakening }) => weakening))),
  ];
}

function sum(numbers: readonly number[]): number {
  return numbers.reduce((total, number) => total + number, 0);
}

function cell(count: number): string {
  return count === 0 ? '' : `${count}`;
}

function grave(count: number): string {
  return count === 0 ? '' : `⚠️ ${count}`;
}
