import { diffArrays } from 'diff';
import { assertNever, isJsonArray } from '../data/index.ts';
import type { JsonValue } from '../data/index.ts';
import { escapeText } from './escape.ts';
import { foldBlanks } from './field-difference.ts';
import type { DifferenceSides, FieldRow, FieldsBlock } from './tree.ts';
import { groupedRows, plainText } from './tree.ts';
import { inlineValue, isExpression, loneValue } from './print-value.ts';

/** Longer values are broken into lines, so that a diff shows the part that differs. */
const LONGEST_LINE = 80;

/** Returns fields as the escaped lines of a diff. */
export function fieldDiff({ rows, sides, side = 'after' }: FieldsBlock): readonly string[] {
  const own = `${sides[side].sign} `;
  return [...groupedRows(rows)].flatMap(([group, members]) => {
    // The heading of values of one side gets the sign of that side.
    const head = members.every(({ value }) => value.kind === 'is') ? own : BOTH;
    return [
      ...(group === '' ? [] : [`${head}${escapeText(group)}:`]),
      ...members.flatMap((row) => rowLines(row, { sides, own, indent: group === '' ? '' : '  ' })),
    ];
  });
}

/** The sign of what both sides have. */
const BOTH = '  ';

interface RowLook {
  readonly sides: DifferenceSides;
  /** The sign of a value that has no counterpart. */
  readonly own: string;
  readonly indent: string;
}

function rowLines({ label, value }: FieldRow, { sides, own, indent }: RowLook): readonly string[] {
  const name = escapeText(label);
  switch (value.kind) {
    case 'told':
      return [`${BOTH}${indent}${name}: ${escapeText(plainText(value.spans))}`];
    case 'is':
      return sided(name, value.value, own + indent);
    case 'differs': {
      const { before, after } = value;
      if (before === undefined || after === undefined) {
        return [
          ...(before === undefined ? [] : sided(name, before, `${sides.before.sign} ${indent}`)),
          ...(after === undefined ? [] : sided(name, after, `${sides.after.sign} ${indent}`)),
        ];
      }
      const [minus, plus] = sides.before.sign === '-' ? [before, after] : [after, before];
      const lines = differenceOf(label, minus, plus);
      // A single line that replaces another needs no heading. Lines that both sides share would look like the whole value without one.
      return lines.length > 2 || lines.some(({ sign }) => sign === BOTH)
        ? [`${BOTH}${indent}${name}:`, ...lines.map(({ sign, text }) => `${sign}${indent}  ${text}`)]
        : lines.map(({ sign, text }) => `${sign}${indent}${name}: ${text}`);
    }
    default:
      return assertNever(value);
  }
}

/** Returns the lines of a value that only one side has. */
function sided(name: string, value: JsonValue, sign: string): readonly string[] {
  const lines = valueLines(name, value);
  const [first = ''] = lines;
  return lines.length === 1
    ? [`${sign}${name}: ${first}`]
    : [`${sign}${name}:`, ...lines.map((line) => `${sign}  ${line}`)];
}

/** A line of a diff with its sign: removed, added, or in both values. */
interface DifferenceLine {
  readonly sign: '- ' | '+ ' | '  ';
  readonly text: string;
}

/** Compares two values line by line; removed lines come before the added ones that replace them. */
function differenceOf(label: string, from: JsonValue, to: JsonValue): readonly DifferenceLine[] {
  return diffArrays(comparable(label, from), comparable(label, to)).flatMap(
    ({ added, removed, value }): readonly DifferenceLine[] =>
      value.map((text) => ({ sign: added ? '+ ' : removed ? '- ' : BOTH, text })),
  );
}

/** Returns the lines of a value for comparison. An expression is always broken into lines, so that both sides are broken alike. */
function comparable(label: string, value: JsonValue): string[] {
  return isExpression(label, value)
    ? clauses(foldBlanks(value)).map(escapeText)
    : [...valueLines(label, value)];
}

/** Formats a value as escaped lines. */
function valueLines(label: string, value: JsonValue): readonly string[] {
  if (isJsonArray(value) && inlineValue(value).length > LONGEST_LINE) {
    return value.map((item) => escapeText(loneValue(item)));
  }
  if (isExpression(label, value)) {
    const folded = foldBlanks(value);
    return folded.length <= LONGEST_LINE ? [escapeText(folded)] : clauses(folded).map(escapeText);
  }
  return [escapeText(loneValue(value))];
}

/** Matches quoted text, a joining operator, a bracket, or the text between these. */
const TOKENS = /"(?:[^"\\]|\\.)*"?|\b(?:and|or|xor)\b|[(){}]|[^"(){}\s]+|\s+/gs;

/** Breaks an expression into lines: one condition each, indented by its brackets; long sets between elements. */
function clauses(expression: string): readonly string[] {
  const lines: string[] = [];
  let line = '';
  let depth = 0;
  let set = false;
  const end = (): void => {
    if (line.trim() !== '') {
      lines.push(line.trimEnd());
    }
    line = '  '.repeat(depth);
  };
  for (const token of expression.match(TOKENS) ?? []) {
    const joins = !set && /^(?:and|or|xor)$/.test(token);
    if (joins || (set && line.length + token.length > LONGEST_LINE)) {
      end();
    }
    // Blanks at the beginning of a line are replaced by its indentation.
    if (token.trim() !== '' || line.trim() !== '') {
      line += token;
    }
    if (token === '(') {
      depth += 1;
    } else if (token === ')') {
      depth = Math.max(0, depth - 1);
    } else if (token === '{' || token === '}') {
      set = token === '{';
    }
  }
  end();
  return lines;
}
