import { codeFrameColumns } from '@babel/code-frame';
import type { SourceSpan } from '../model/source.ts';
import { maskLine } from './escape.ts';

/** Lines shown before and after the one that a finding is about. */
const CONTEXT = 2;

/** The lines of a file, split as its positions count them. */
export function linesOf(text: string): readonly string[] {
  return text.split(/\r?\n/);
}

/**
 * The lines around a finding with a mark below its place. Only a window of the file is looked at, and of
 * each line only as much as fits the width, so that neither a large file nor an endless line hurts.
 * "" when the place lies outside of the file.
 */
export function codeFrame(lines: readonly string[], where: SourceSpan, width: number): string {
  const { start, end } = where;
  const current = lines[start.line - 1];
  if (current === undefined) {
    return '';
  }
  const first = Math.max(start.line - CONTEXT, 1);
  const room = Math.max(width - GUTTER, 20);
  const shift = start.column > room - MARGIN ? start.column - Math.floor(room / 2) : 0;
  const window = lines
    .slice(first - 1, start.line + CONTEXT)
    .map((text) => maskLine(text.slice(shift, shift + room)));
  const last = end.line === start.line ? end.column : current.length + 1;
  const column = start.column - shift;
  const until = Math.min(Math.max(last - shift, column + 1), room + 1);
  const row = start.line - first + 1;
  return withNumbers(
    codeFrameColumns(
      window.join('\n'),
      { start: { line: row, column }, end: { line: row, column: until } },
      { highlightCode: false, linesAbove: CONTEXT, linesBelow: CONTEXT },
    ),
    { first, count: window.length },
  );
}

/** Columns that the widest gutter takes: `> 99999 | `. */
const GUTTER = 10;

/** Columns that should follow the begin of a finding. */
const MARGIN = 12;

/** The frame numbers its window from 1; this puts the numbers of the file there. */
function withNumbers(frame: string, lines: { readonly first: number; readonly count: number }): string {
  const width = String(lines.first + lines.count - 1).length;
  return frame
    .split('\n')
    .map((row) =>
      row.replace(/^([> ]) (\d| )+ \|/, (_match, mark: string, number: string) => {
        const own = number === ' ' ? '' : String(lines.first + Number(number) - 1);
        return `${mark} ${own.padStart(width)} |`;
      }),
    )
    .join('\n');
}
