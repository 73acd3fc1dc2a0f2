import type { PatternSpan } from './regex-syntax.ts';

/** Why the regex crate refuses a pattern: its message, the place, and the earlier place that the message refers to. */
export interface PatternProblem {
  readonly message: string;
  readonly span: PatternSpan;
  readonly original?: PatternSpan;
}

interface PatternPoint {
  readonly line: number;
  readonly column: number;
}

interface LineSpan {
  readonly start: PatternPoint;
  readonly end: PatternPoint;
}

const DIVIDER = '~'.repeat(79);

/**
 * Returns the message of the regex crate for a problem: the pattern with carets under the places in question, then the reason
 * (rules-language.md 2.5). A pattern of several lines is shown with line numbers between two dividers.
 */
export function describeProblem(pattern: readonly string[], problem: PatternProblem): string {
  const marks = [problem.span, ...(problem.original === undefined ? [] : [problem.original])].map((span) => ({
    start: placeOf(pattern, span.start),
    end: placeOf(pattern, span.end),
  }));
  const text = pattern.join('');
  if (!text.includes('\n')) {
    return `regex parse error:\n${annotate(text, marks)}error: ${problem.message}`;
  }
  const notes = marks
    .filter((mark) => mark.start.line !== mark.end.line)
    .map(
      ({ start, end }) =>
        `on line ${start.line} (column ${start.column}) through line ${end.line} (column ${end.column - 1})`,
    );
  const tail = notes.length === 0 ? '' : `${notes.join('\n')}\n`;
  return `regex parse error:\n${DIVIDER}\n${annotate(text, marks)}${DIVIDER}\n${tail}error: ${problem.message}`;
}

function annotate(text: string, marks: readonly LineSpan[]): string {
  const lines = text.split('\n');
  const numberWidth = lines.length === 1 ? 0 : String(lines.length).length;
  // A line break at the very end opens a line that is counted but not shown.
  const shown = lines.at(-1) === '' && lines.length > 1 ? lines.slice(0, -1) : lines;
  return shown
    .map((line, index) => {
      const label = numberWidth === 0 ? '    ' : `${String(index + 1).padStart(numberWidth)}: `;
      const carets = underline(
        marks.filter((mark) => mark.start.line === index + 1 && mark.end.line === index + 1),
        ' '.repeat(label.length),
      );
      return `${label}${line.replace(/\r$/u, '')}\n${carets}`;
    })
    .join('');
}

function underline(marks: readonly LineSpan[], indent: string): string {
  if (marks.length === 0) {
    return '';
  }
  let carets = '';
  for (const { start, end } of [...marks].sort((a, b) => a.start.column - b.start.column)) {
    carets = carets.padEnd(start.column - 1) + '^'.repeat(Math.max(1, end.column - start.column));
  }
  return `${indent}${carets}\n`;
}

function placeOf(pattern: readonly string[], offset: number): PatternPoint {
  let line = 1;
  let column = 1;
  for (const character of pattern.slice(0, offset)) {
    if (character === '\n') {
      line += 1;
      column = 1;
    } else {
      column += 1;
    }
  }
  return { line, column };
}
