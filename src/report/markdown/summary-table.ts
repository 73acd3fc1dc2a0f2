import type { RuleChange } from '../../model/change.ts';
import type { Plan, PlannedScope, Step } from '../../model/plan.ts';
import { counted } from '../count.ts';
import { countLowering } from '../lowering.ts';
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
export function summaryTable(plan: Plan, telling: MarkdownTelling): readonly Block[] {
  const { kind, lowering } = telling;
  const rows = plan.scopes
    .filter((scope): scope is PlannedScope => scope.kind === 'planned')
    .flatMap((scope) =>
      scope.steps.map((step) => ({ scope, step, weakening: countLowering(step.changes, lowering) })),
    );
  if (rows.length === 0) {
    return [];
  }
  const many = rows.length > MOST_ROWS;
  const weakest = [...rows].sort((a, b) => b.weakening - a.weakening);
  const shown = many ? weakest.slice(0, MOST_ROWS - 1) : rows;
  const rest = rows.filter((row) => !shown.includes(row));
  const numbers = (steps: readonly Step[]): readonly string[] => counts(steps, telling);
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
        ...shown.map(({ scope: { scope }, step }) => [
          `${scope.kind} ${code(scope.name)}`,
          targetCell(step.target),
          ...numbers([step]),
        ]),
        ...(rest.length === 0
          ? []
          : [
              [
                '',
                `${counted(rest.length, 'more ruleset')}, below`,
                ...numbers(rest.map(({ step }) => step)),
              ],
            ]),
      ],
    },
  ];
}

function counts(steps: readonly Step[], { kind, lowering }: MarkdownTelling): readonly string[] {
  const changes = steps.flatMap((step) => step.changes);
  const weakening = countLowering(changes, lowering);
  return [
    ...COLUMNS[kind].map(([, verb]) => changes.filter((change) => change.kind === verb).length).map(cell),
    weakening === 0 ? '' : `⚠️ ${weakening}`,
  ];
}

function cell(count: number): string {
  return count === 0 ? '' : `${count}`;
}
