import { diffArrays } from 'diff';
import type { JsonValue } from '../../model/json.ts';
import { isJsonArray } from '../../model/json.ts';
import { escapeText } from '../escape.ts';
import { foldBlanks } from '../expression-difference.ts';
import { inlineValue, loneValue } from '../value.ts';

/** Longer values are broken over lines, so that a difference shows the part that differs. */
const LONGEST_LINE = 80;

/** A line of a difference, with the sign of a fence of kind `diff`: it goes, it comes, or both values have it. */
export interface DifferenceLine {
  readonly sign: '- ' | '+ ' | '  ';
  readonly text: string;
}

/** A value in lines, none of which can steer a reader's screen. */
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

/** Two values line by line; of lines that differ, those that go stand before those that come. */
export function differenceOf(label: string, from: JsonValue, to: JsonValue): readonly DifferenceLine[] {
  return diffArrays(comparable(label, from), comparable(label, to)).flatMap(
    ({ added, removed, value }): readonly DifferenceLine[] =>
      value.map((text) => ({ sign: added ? '+ ' : removed ? '- ' : '  ', text })),
  );
}

/** The lines of a value that is compared: an expression is broken however short it is, so that both sides are. */
function comparable(label: string, value: JsonValue): string[] {
  return isExpression(label, value)
    ? clauses(foldBlanks(value)).map(escapeText)
    : [...valueLines(label, value)];
}

function isExpression(label: string, value: JsonValue): value is string {
  return typeof value === 'string' && label.endsWith('expression');
}

/** Text in quotes, a word that joins conditions, a bracket, or what stands between. */
const TOKENS = /"(?:[^"\\]|\\.)*"?|\b(?:and|or|xor)\b|[(){}]|[^"(){}\s]+|\s+/gs;

/** An expression in lines: one condition each, indented by the brackets around it; long sets by element. */
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
    // Blanks at the beginning of a line are the indent.
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
