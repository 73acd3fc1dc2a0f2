import { describedName } from '../../model/index.ts';
import type { PlanDifference } from '../../model/index.ts';
import type { AlikeDifferences } from '../group-outcomes.ts';
import { alikeDifferences } from '../group-outcomes.ts';
import { alikeCount } from '../alike-plans.ts';
import { kindOf, nameOf } from '../without-name.ts';
import { escapeLines } from '../escape.ts';
import { fieldLines } from '../lines/rule-lines.ts';
import { changeRows } from '../field-rows.ts';
import { alikeLines } from '../lines/step-lines.ts';
import type { Line, Style, Look } from '../layout.ts';
import { BLANK, layOut, line, span } from '../layout.ts';
import type { Telling } from '../telling.ts';

/** What the two values of a field are: of the two plans if both change the rule, otherwise of the one that does. */
const TELLINGS: Readonly<Record<PlanDifference['kind'], Telling>> = {
  'only-reviewed': between('live at the review', 'reviewed'),
  'only-fresh': between('live', 'after apply'),
  different: between('reviewed', 'now'),
};

function between(before: string, after: string): Telling {
  const column = Math.max(before.length, after.length) + 2;
  return {
    kind: 'plan',
    live: { inline: `${before} `, leading: before.padEnd(column), style: 'delete' },
    files: { inline: `${after} `, leading: after.padEnd(column), style: 'add' },
    between: ' · ',
  };
}

const SIGNS: Readonly<Record<PlanDifference['kind'], readonly [sign: string, style: Style]>> = {
  'only-reviewed': ['-', 'delete'],
  'only-fresh': ['+', 'add'],
  different: ['~', 'patch'],
};

/** Formats how a plan that was made now differs from the reviewed one, place by place. */
export function differencesText(differences: readonly PlanDifference[], look: Look): string {
  return layOut(
    [
      line(0, 'The plan is not the one that was reviewed:'),
      line(0, span('dim', '- only reviewed   + only now   ~ differs')),
      BLANK,
      ...planDifferenceLines(alikeDifferences(differences, look.detail), look),
    ],
    look,
  );
}

/** Returns lines about the differences of two plans, by place. */
export function planDifferenceLines(
  groups: readonly AlikeDifferences[],
  look: Pick<Look, 'width'>,
): readonly Line[] {
  return groups.flatMap(({ places, others }) => [
    ...[...places].flatMap(([place, differences]) => [
      line(0, span('heading', place), alikeCount(kindOf(place), others)),
      ...differences.flatMap((one) => differenceLines(one, look)),
      BLANK,
    ]),
    ...alikeLines(others.map(nameOf)),
  ]);
}

function differenceLines(
  { kind, rule, description = '', message, fields }: PlanDifference,
  { width }: Pick<Look, 'width'>,
): readonly Line[] {
  const [sign, style] = SIGNS[kind];
  const [first = '', ...rest] = escapeLines(message);
  return [
    line(
      2,
      span(style, `${sign} `),
      ...(rule === undefined ? [] : [span('strong', describedName(rule, description)), '  ']),
      first,
    ),
    ...rest.map((text) => line(6, text)),
    ...fieldLines(changeRows(fields ?? []), { indent: 6, width, telling: TELLINGS[kind] }),
  ];
}
