import { assertNever } from '../../model/assert-never.ts';
import type { JsonValue } from '../../model/json.ts';
import { isJsonArray } from '../../model/json.ts';
import { foldBlanks } from '../expression-difference.ts';
import { fieldDifference } from '../field-difference.ts';
import type { FieldRow } from '../field-rows.ts';
import type { Line, Span } from '../layout.ts';
import { hanging, line, span } from '../layout.ts';
import type { Side, Telling } from '../telling.ts';
import { UNSET } from '../telling.ts';
import { inlineValue, loneValue } from '../value.ts';
import { padTo, widthOf } from '../width.ts';

/** The position and the width of field lines, and how to show differences. */
export interface FieldPlace {
  readonly indent: number;
  readonly width: number;
  readonly telling: Telling;
}

/** The widest label that counts for the column of values: longer labels do not push all values to the right. */
const WIDEST_LABEL = 28;

/** The same limit for labels under a group's heading. */
const WIDEST_INNER_LABEL = 38;

/** Formats rows as lines: labels in one column; a value that does not fit beside its label goes below it. */
export function fieldLines(rows: readonly FieldRow[], place: FieldPlace): readonly Line[] {
  const groups = [...new Set(['', ...rows.map((row) => row.group)])];
  return groups.flatMap((group): readonly Line[] => {
    const members = rows.filter((row) => row.group === group);
    const inner = group === '' ? place : { ...place, indent: place.indent + 2 };
    const widest = group === '' ? WIDEST_LABEL : WIDEST_INNER_LABEL;
    const widths = members.map((row) => widthOf(row.label)).filter((width) => width <= widest);
    const column = Math.max(...widths, 0);
    return [
      ...(group === '' ? [] : [line(place.indent, span('label', group))]),
      ...members.flatMap((row) => rowLines(row, { ...inner, column })),
    ];
  });
}

type RowPlace = FieldPlace & { readonly column: number };

function rowLines(row: FieldRow, place: RowPlace): readonly Line[] {
  const { value } = row;
  if (value.kind === 'told') {
    return [labelled(row.label, value.spans, place)];
  }
  if (value.kind === 'is') {
    return isLines(row.label, value.value, place);
  }
  const { before, after } = value;
  const words = isExpression(row.label) && before !== undefined && after !== undefined;
  const inline = words ? null : inlineDifference(before, after, place.telling);
  if (inline !== null && fits(row.label, inline, place)) {
    return [line(place.indent, label(row.label, place), ...inline)];
  }
  return [line(place.indent, span('label', row.label)), ...differenceBelow(before, after, place)];
}

function isLines(name: string, value: JsonValue, place: RowPlace): readonly Line[] {
  if (isJsonArray(value) && !fits(name, [{ text: inlineValue(value) }], place)) {
    return [
      line(place.indent, span('label', name)),
      ...value.map((item) => line(place.indent + 2, `• ${inlineValue(item)}`)),
    ];
  }
  const text = typeof value === 'string' && isExpression(name) ? foldBlanks(value) : loneValue(value);
  return [labelled(name, [{ text }], place)];
}

/** Returns a line with a label and its value; further rows of the value are aligned with its first. */
function labelled(name: string, value: readonly Span[], place: RowPlace): Line {
  const hang = Math.max(place.column, widthOf(name)) + 2;
  return hanging(place.indent, hang, label(name, place), ...value);
}

function isExpression(name: string): boolean {
  return name.endsWith('expression');
}

function label(name: string, place: RowPlace): Span {
  return span('label', `${padTo(name, place.column)}  `);
}

function fits(name: string, value: readonly Span[], place: RowPlace): boolean {
  const width = value.reduce((sum, { text }) => sum + widthOf(text), 0);
  return place.indent + Math.max(place.column, widthOf(name)) + 2 + width <= place.width;
}

function inlineDifference(
  before: JsonValue | undefined,
  after: JsonValue | undefined,
  telling: Telling,
): readonly Span[] {
  const side = ({ inline, style }: Side, value: JsonValue | undefined): readonly Span[] => [
    { text: inline },
    value === undefined ? span('dim', UNSET) : span(style, loneValue(value)),
  ];
  return [...side(telling.live, before), { text: telling.between }, ...side(telling.files, after)];
}

function differenceBelow(
  before: JsonValue | undefined,
  after: JsonValue | undefined,
  { indent, telling }: RowPlace,
): readonly Line[] {
  const below = ({ leading, style }: Side, spans: readonly Span[]): Line => ({
    indent: indent + 2,
    spans: [span(style, leading), ...spans],
    hang: widthOf(leading),
    marks: true,
  });
  const difference = fieldDifference(before, after);
  switch (difference.kind) {
    case 'words':
      return [below(telling.live, difference.before), below(telling.files, difference.after)];
    case 'items':
      return difference.entries.map((entry) =>
        entry.kind === 'same'
          ? line(indent + 2, span('dim', `… ${entry.count} unchanged`))
          : below(entry.kind === 'before' ? telling.live : telling.files, [{ text: entry.text }]),
      );
    case 'values':
      return [
        ...(before === undefined ? [] : [below(telling.live, [{ text: inlineValue(before) }])]),
        ...(after === undefined ? [] : [below(telling.files, [{ text: inlineValue(after) }])]),
      ];
    default:
      return assertNever(difference);
  }
}
