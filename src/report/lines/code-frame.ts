import type { SourceSpan } from '../../model/source.ts';
import { maskLine } from '../escape.ts';
import { widthOf } from '../width.ts';

/** Lines shown before and after the one that a finding is about. */
const CONTEXT = 2;

/** The fewest columns of text, however narrow the terminal. */
const LEAST_ROOM = 20;

/** Columns that should follow the beginning of a finding. */
const MARGIN = 12;

/** Code units that are looked at for each column: joined accents and pictures take several. */
const UNITS = 8;

/** Stands where a line goes on. */
const CUT = '…';

/** The lines of a file, split as its positions count them. */
export function linesOf(text: string): readonly string[] {
  return text.split(/\r?\n/);
}

/**
 * The lines around a finding with a mark below its place; `…` where a line is cut. Only a window of the file is looked at, and of
 * each line little more than fits the width, so that neither a large file nor an endless line hurts. "" when the place lies outside
 * of the file.
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
      // The lines around it are there to be known again, by their beginnings.
      const row = `${String(number).padStart(digits)} | ${cut(text, number === start.line ? shift : 0, room)}`;
      return number === start.line
        ? [`> ${row}`, `  ${' '.repeat(digits)} | ${' '.repeat(offset)}${marks}`]
        : [`  ${row}`];
    })
    .map((row) => row.trimEnd())
    .join('\n');
}

/** How many characters of a line are left out on the left, so that a place stands within the room. */
function shiftOf(line: string, place: number, room: number): number {
  const before = maskLine(line.slice(Math.max(place - room * UNITS, 0), place));
  const rest = widthOf(maskLine(line.slice(place, place + room * UNITS)));
  const fits =
    place <= room * UNITS &&
    (widthOf(before) + Math.max(rest, 1) <= room || widthOf(before) <= room - MARGIN);
  if (fits) {
    return 0;
  }
  // As much as there is room for, where the line ends soon.
  const kept = lastColumns(before, Math.max(Math.floor(room / 2), room - rest - 1) - widthOf(CUT));
  return place - kept.length;
}

/** What of a line fits the room, once so many characters are left out on its left. */
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
