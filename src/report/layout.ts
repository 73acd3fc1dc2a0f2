import { disarmLine, escapeText } from './escape.ts';
import type { Look, Style } from './theme.ts';
import { paintFor } from './theme.ts';
import { widthOf } from './width.ts';

/** A piece of text with one style. Untrusted text is welcome: `layOut` escapes every span. */
export interface Span {
  readonly text: string;
  readonly style?: Style;
}

/** One line before wrapping. */
export interface Line {
  /** Columns of blank before the first row. */
  readonly indent: number;
  readonly spans: readonly Span[];
  /** Columns by which further rows stand behind the first; 2 unless given. */
  readonly hang?: number;
  /** Whether changed words get a row of marks below them where there is no colour. */
  readonly marks?: boolean;
  /** Text of a file, one row however long: a break would not stand in the file. */
  readonly verbatim?: boolean;
}

/** A line of one or more texts. */
export function line(indent: number, ...spans: readonly (Span | string)[]): Line {
  return { indent, spans: spans.map((entry) => (typeof entry === 'string' ? { text: entry } : entry)) };
}

/** A line of which further rows stand so many columns behind the first. */
export function hanging(indent: number, hang: number, ...spans: readonly (Span | string)[]): Line {
  return { ...line(indent, ...spans), hang };
}

/** A piece of text with a style. */
export function span(style: Style, text: string): Span {
  return { text, style };
}

/** An empty line. */
export const BLANK: Line = { indent: 0, spans: [] };

/** Lines as text, wrapped to the width at blanks unless nothing is to be wrapped, with a newline at the end of each row. */
export function layOut(lines: readonly Line[], look: Look): string {
  return lines.flatMap((entry) => rowsOf(entry, look).map((row) => `${disarmLine(row)}\n`)).join('');
}

/** Below this many columns nothing is wrapped any narrower: lines move to the left instead. */
const MINIMUM_ROOM = 20;

/** What stands below changed words where there is no colour. */
const MARKS: ReadonlyMap<Style, string> = new Map([
  ['removed-words', '~'],
  ['added-words', '^'],
]);

function rowsOf(entry: Line, look: Look): readonly string[] {
  const paint = paintFor(look);
  const width = look.wrap === false || entry.verbatim === true ? Infinity : look.width;
  const furthest = Math.max(width - MINIMUM_ROOM, 0);
  const indent = Math.min(entry.indent, furthest);
  const hang = Math.min(entry.indent + (entry.hang ?? 2), furthest);
  const room = (row: number): number => width - (row === 0 ? indent : hang);
  return wrapSpans(escaped(entry.spans), room).flatMap((row, index) => {
    const blank = ' '.repeat(index === 0 ? indent : hang);
    const text = row.map(({ text, style }) => (style === undefined ? text : paint(style, text))).join('');
    const marks = entry.marks === true && !look.colour ? marksOf(row) : '';
    return [(blank + text).trimEnd(), ...(marks === '' ? [] : [blank + marks])];
  });
}

function marksOf(row: readonly Span[]): string {
  return row
    .map(({ text, style }) => (MARKS.get(style ?? 'dim') ?? ' ').repeat(widthOf(text)))
    .join('')
    .trimEnd();
}

/** A URL, or a path with folders. */
const LEADS = /:\/\/|^[(`"']?\.{0,2}\/[^/\s]+\//u;

/** Spans as they may be printed, without those that say nothing. */
function escaped(spans: readonly Span[]): readonly Span[] {
  return spans.map((piece) => ({ ...piece, text: escapeText(piece.text) })).filter(({ text }) => text !== '');
}

function widthOfAll(pieces: readonly Span[]): number {
  return pieces.reduce((sum, { text }) => sum + widthOf(text), 0);
}

/** Escaped spans cut into rows. A blank at a break is dropped; a word that is wider than a row is cut, unless it is a URL or a path: half of one leads nowhere. */
function wrapSpans(spans: readonly Span[], room: (row: number) => number): readonly (readonly Span[])[] {
  const rows: Span[][] = [[]];
  // Most lines fit, and most words of the others: only what does not is looked at word by word and cut.
  if (widthOfAll(spans) <= room(0)) {
    spans.forEach((piece) => append(rows, piece));
    return rows;
  }
  let used = 0;
  const breakRow = (): void => {
    rows.push([]);
    used = 0;
  };
  for (const word of wordsOf(spans)) {
    const width = widthOfAll(word);
    const left = room(rows.length - 1) - used;
    // A row that has no more room than what is left of this one gains a word nothing that has to be cut all the same.
    if (used > 0 && width > left && left < room(rows.length)) {
      breakRow();
    }
    if (used === 0 && rows.length > 1 && word.length === 1 && word[0]?.text === ' ') {
      continue;
    }
    if (used + width <= room(rows.length - 1)) {
      word.forEach((piece) => append(rows, piece));
      used += width;
      continue;
    }
    const whole = LEADS.test(word.map(({ text }) => text).join(''));
    for (const piece of whole ? word : word.flatMap((part) => chop(part, room(1)))) {
      const pieceWidth = widthOf(piece.text);
      if (!whole && used > 0 && used + pieceWidth > room(rows.length - 1)) {
        breakRow();
      }
      append(rows, piece);
      used += pieceWidth;
    }
  }
  return rows.length > 1 && rows.at(-1)?.length === 0 ? rows.slice(0, -1) : rows;
}

/** Puts a piece at the end of the last row; neighbours of one style become one span. */
function append(rows: Span[][], piece: Span): void {
  const row = rows.at(-1) ?? [];
  const last = row.at(-1);
  if (last !== undefined && last.style === piece.style) {
    row[row.length - 1] = { ...last, text: last.text + piece.text };
  } else {
    row.push(piece);
  }
}

/** Words, each made of one or more pieces with their styles; every blank is a word of its own. */
function wordsOf(spans: readonly Span[]): readonly (readonly Span[])[] {
  const words: Span[][] = [];
  let open: Span[] | undefined;
  for (const { text, style } of spans) {
    for (const part of text.split(/( )/)) {
      const piece: Span = style === undefined ? { text: part } : { text: part, style };
      if (part === ' ') {
        words.push([piece]);
        open = undefined;
      } else if (part !== '' && open !== undefined) {
        open.push(piece);
      } else if (part !== '') {
        open = [piece];
        words.push(open);
      }
    }
  }
  return words;
}

/** What names of a path and items of a list end with. */
const ENDS = /^.*[/,]/u;

/** A piece that is wider than a row, cut into parts that fit: between the names of which it is made, where that fills a third of a row. */
function chop(piece: Span, room: number): readonly Span[] {
  if (widthOf(piece.text) <= room) {
    return [piece];
  }
  const parts: string[] = [];
  let part = '';
  let width = 0;
  for (const char of piece.text) {
    const charWidth = widthOf(char);
    if (width + charWidth > room) {
      const names = ENDS.exec(part)?.[0] ?? '';
      const whole = widthOf(names) * 3 < room ? part : names;
      parts.push(whole);
      part = part.slice(whole.length);
      width = widthOf(part);
    }
    part += char;
    width += charWidth;
  }
  parts.push(part);
  return parts.map((text) => (piece.style === undefined ? { text } : { text, style: piece.style }));
}
