import { assertNever, isJsonArray } from '../data/index.ts';
import type { JsonValue } from '../data/index.ts';
import { foldBlanks, fieldDifference } from './field-difference.ts';
import type { TextLine } from './layout.ts';
import { hanging, line, padTo, widthOf } from './layout.ts';
import type { DifferenceSide, DifferenceSides, FieldRow, Inline, StyledSpan, ValuePair } from './tree.ts';
import { groupedRows, span, UNSET } from './tree.ts';
import { inlineValue, isExpression, loneValue } from './print-value.ts';

/** The position and the width of field lines, and the sides of their differences. */
interface FieldPlace {
  readonly indent: number;
  readonly width: number;
  readonly sides: DifferenceSides;
}

/** The widest label that counts for the column of values: longer labels do not push all values to the right. */
const WIDEST_LABEL = 28;

/** The same limit for labels under a group's heading. */
const WIDEST_INNER_LABEL = 38;

/** Formats rows as lines: labels in one column; a value that does not fit beside its label goes below it. */
export function fieldLines(rows: readonly FieldRow[], place: FieldPlace): readonly TextLine[] {
  return [...groupedRows(rows)].flatMap(([group, members]): readonly TextLine[] => {
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

function rowLines({ label, value }: FieldRow, place: RowPlace): readonly TextLine[] {
  switch (value.kind) {
    case 'told':
      return [labelled(label, value.spans, place)];
    case 'is':
      return isLines(label, value.value, place);
    case 'differs':
      return differenceLines(label, value, place);
    default:
      return assertNever(value);
  }
}

function isLines(name: string, value: JsonValue, place: RowPlace): readonly TextLine[] {
  if (isJsonArray(value) && !fits(name, [{ text: inlineValue(value) }], place)) {
    return [
      line(place.indent, span('label', name)),
      ...value.map((item) => line(place.indent + 2, `• ${loneValue(item)}`)),
    ];
  }
  return [labelled(name, [isExpression(name, value) ? foldBlanks(value) : loneValue(value)], place)];
}

function differenceLines(name: string, { before, after }: ValuePair, place: RowPlace): readonly TextLine[] {
  const words = name.endsWith('expression') && before !== undefined && after !== undefined;
  const inline = words ? null : inlineDifference({ before, after }, place.sides);
  return inline !== null && fits(name, inline, place)
    ? [line(place.indent, label(name, place), ...inline)]
    : [line(place.indent, span('label', name)), ...differenceBelow({ before, after }, place)];
}

/** Returns a line with a label and its value; further rows of the value are aligned with its first. */
function labelled(name: string, value: Inline, place: RowPlace): TextLine {
  const hang = Math.max(place.column, widthOf(name)) + 2;
  return hanging(place.indent, hang, label(name, place), ...value);
}

function label(name: string, { column }: RowPlace): StyledSpan {
  return span('label', `${padTo(name, column)}  `);
}

function fits(name: string, value: readonly StyledSpan[], place: RowPlace): boolean {
  const width = value.reduce((sum, { text }) => sum + widthOf(text), 0);
  return place.indent + Math.max(place.column, widthOf(name)) + 2 + width <= place.width;
}

/** Both sides of a difference; undefined for one that is not set. */
type Pair = { readonly [Side in keyof ValuePair]-?: JsonValue | undefined };

function inlineDifference({ before, after }: Pair, sides: DifferenceSides): readonly StyledSpan[] {
  const side = ({ inline, style }: DifferenceSide, value: JsonValue | undefined): readonly StyledSpan[] => [
    { text: inline },
    value === undefined ? span('dim', UNSET) : span(style, loneValue(value)),
  ];
  return [...side(sides.before, before), { text: sides.between }, ...side(sides.after, after)];
}

function differenceBelow({ before, after }: Pair, { indent, sides }: RowPlace): readonly TextLine[] {
  const below = ({ leading, style }: DifferenceSide, spans: readonly StyledSpan[]): TextLine => ({
    indent: indent + 2,
    spans: [span(style, leading), ...spans],
    hang: widthOf(leading),
    marks: true,
  });
  const difference = fieldDifference(before, after);
  switch (difference.kind) {
    case 'words':
      return [below(sides.before, difference.before), below(sides.after, difference.after)];
    case 'items':
      return difference.entries.map((entry) =>
        entry.kind === 'same'
          ? line(indent + 2, span('dim', `… ${entry.count} unchanged`))
          : below(sides[entry.kind], [{ text: entry.text }]),
      );
    case 'values':
      return [
        ...(before === undefined ? [] : [below(sides.before, [{ text: inlineValue(before) }])]),
        ...(after === undefined ? [] : [below(sides.after, [{ text: inlineValue(after) }])]),
      ];
    default:
      return assertNever(difference);
  }
}
