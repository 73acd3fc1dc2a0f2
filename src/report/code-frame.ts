import type { SourceSpan } from '../model/index.ts';
import { maskLine } from './escape.ts';
import { widthOf } from './layout.ts';

/** The number of lines shown before and after the line of a finding. */
const CONTEXT = 2;

/** The minimum number of columns of text, however narrow the terminal. */
const LEAST_ROOM = 20;

/** The number of columns that should be visible from the beginning of a finding. */
const MARGIN = 12;

/** The number of code units examined per column: combining accents and emoji take several. */
const UNITS = 8;

/** Marks where a line is cut. */
const CUT = '…';

/** Splits a file into lines as its positions count them. */
export function linesOf(text: string): readonly string[] {
  return text.split(/\r?\n/);
}

/**
 * Returns the lines around a finding with marks below its place, and `…` where a line is cut. Examines only a window of the file, and of
 * each line little more than the width, so that large files and endless lines do no harm. "" when the place is outside of the file.
 */
export function codeFrame(lines: readonly string[], where: SourceSpan, width: number): string {
  const { start, end } = where;
  const current = lines[start.line - 1];
  if (current === undefined) {
    return '';
  }
  const first = Math.max(start.line - CONTEXT, 1);
  const shown = lines.slice(first - 1, start.line + CONTEXT);
  const digits = String(first + shown.length - 1).length;
  const room = Math.max(width - digits - '>  | '.length, LEAST_ROOM);
  const from = start.column - 1;
  const until = end.line === start.line ? Math.max(end.column - 1, from + 1) : current.length;
  const shift = shiftOf(current, from, room);
  const offset = (shift > 0 ? widthOf(CUT) : 0) + widthOf(maskLine(current.slice(shift, from)));
  const marked = widthOf(maskLine(current.slice(from, Math.min(until, from + room * UNITS))));
  const marks = '^'.repeat(Math.max(Math.min(marked, room - offset), 1));
  return shown
    .flatMap((text, index) => {
      const number = first + index;
      // The lines around a finding are there to recognise the place, so their beginnings are shown.
      const row = `${String(number).padStart(digits)} | ${cut(text, number === start.line ? shift : 0, room)}`;
      return number === start.line
        ? [`> ${row}`, `  ${' '.repeat(digits)} | ${' '.repeat(offset)}${marks}`]
        : [`  ${row}`];
    })
    .map((row) => row.trimEnd())
    .join('\n');
}

/** Returns how many characters to leave out on the left of a line, so that a place fits the room. */
function shiftOf(line: string, place: number, room: number): number {
  const before = maskLine(line.slice(Math.max(place - room * UNITS, 0), place));
  const rest = widthOf(maskLine(line.slice(place, place + room * UNITS)));
  const fits =
    place <= room * UNITS &&
    (widthOf(before) + Math.max(rest, 1) <= room || widthOf(before) <= room - MARGIN);
  if (fits) {
    return 0;
  }
  // If the line ends soon, keeps as much before the place as there is room for.
  const kept = lastColumns(before, Math.max(Math.floor(room / 2), room - rest - 1) - widthOf(CUT));
  return place - kept.length;
}

/** Returns the part of a line that fits the room, with `shift` characters left out on its left. */
function cut(line: string, shift: number, room: number): string {
  const left = shift > 0 ? CUT : '';
  const text = maskLine(line.slice(shift, shift + room * UNITS));
  const free = room - widthOf(left);
  return widthOf(text) <= free ? left + text : `${left}${firstColumns(text, free - widthOf(CUT))}${CUT}`;
}

const GRAPHEMES = new Intl.Segmenter(undefined, { granularity: 'grapheme' });

function graphemesOf(text: string): readonly string[] {
  return Array.from(GRAPHEMES.segment(text), ({ segment }) => segment);
}

function firstColumns(text: string, columns: number): string {
  let used = 0;
  return graphemesOf(text)
    .filter((grapheme) => (used += widthOf(grapheme)) <= columns)
    .join('');
}

function lastColumns(text: string, columns: number): string {
  let used = 0;
  return graphemesOf(text)
    .toReversed()
    .filter((grapheme) => (used += widthOf(grapheme)) <= columns)
    .toReversed()
    .join('');
}
