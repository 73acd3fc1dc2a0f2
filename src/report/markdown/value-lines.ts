import { diffArrays } from 'diff';
import type { JsonValue } from '../../model/json.ts';
import { isJsonArray } from '../../model/json.ts';
import { escapeText } from '../escape.ts';
import { foldBlanks } from '../expression-difference.ts';
import { inlineValue, loneValue } from '../value.ts';

/** Longer values are broken into lines, so that a diff shows the part that differs. */
const LONGEST_LINE = 80;

/** A line of a diff with its sign: removed, added, or in both values. */
export interface DifferenceLine {
  readonly sign: '- ' | '+ ' | '  ';
  readonly text: string;
}

/** Formats a value as escaped lines. */
export function valueLines(label: string, value: JsonValue): readonly string[] {
  if (isJsonArray(value) && inlineValue(value).length > LONGEST_LINE) {
    return value.map((item) => escapeText(inlineValue(item)));
  }
  if (isExpression(label, value)) {
    const folded = foldBlanks(value);
    return folded.length <= LONGEST_LINE ? [escapeText(folded)] : clauses(folded).map(escapeText);
  }
  return [escapeText(loneValue(value))];
}

/** Compares two values line by line; removed lines come before the added ones that replace them. */
export function differenceOf(label: string, from: JsonValue, to: JsonValue): readonly DifferenceLine[] {
  return diffArrays(comparable(label, from), comparable(label, to)).flatMap(
    ({ added, removed, value }): readonly DifferenceLine[] =>
      value.map((text) => ({ sign: added ? '+ ' : removed ? '- ' : '  ', text })),
  );
}

/**
 * Returns the lines of a value for comparison. An expression is always broken into lines, however short, so that both sides are broken
 * alike.
 */
function comparable(label: string, value: JsonValue): string[] {
  return isExpression(label, value)
    ? clauses(foldBlanks(value)).map(escapeText)
    : [...valueLines(label, value)];
}

function isExpression(label: string, value: JsonValue): value is string {
  return typeof value === 'string' && label.endsWith('expression');
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
