import { styleText } from 'node:util';
import stringWidth from 'string-width';
import { disarmLine, escapeText } from './escape.ts';
import type { Inline, Style, StyledSpan } from './tree.ts';

export { span } from './tree.ts';
export type { StyledSpan } from './tree.ts';

type Formats = Parameters<typeof styleText>[0];

const FORMATS: Readonly<Record<Style, Formats>> = {
  added: 'green',
  changed: 'yellow',
  moved: 'cyan',
  removed: 'red',
  heading: ['bold', 'underline'],
  strong: 'bold',
  name: 'bold',
  code: [],
  label: 'dim',
  dim: 'dim',
  error: ['red', 'bold'],
  warning: ['yellow', 'bold'],
  info: 'cyan',
  good: 'green',
  'removed-words': ['red', 'inverse'],
  'added-words': ['green', 'inverse'],
};

/** Applies a style to a text. */
export type Paint = (style: Style, text: string) => string;

/** Whether everything is shown by itself, or things that are alike are grouped; grouped unless given. */
export type Detail = 'each' | 'summed-up';

/** How a rendering looks: its width in terminal columns, and whether it may use colour. */
export interface Look {
  readonly width: number;
  /** Whether wider lines are wrapped; true unless given. */
  readonly wrap?: boolean;
  readonly colour: boolean;
  readonly detail?: Detail;
  /** How the project's folder is reached from where the user is, as `../`, which goes before the files of places; nothing unless given. */
  readonly way?: string | undefined;
}

/** Returns the theme: with colour, or without any styling. */
export function paintFor(look: Pick<Look, 'colour'>): Paint {
  return look.colour
    ? (style, text) => (text === '' ? '' : styleText(FORMATS[style], text, { validateStream: false }))
    : (_style, text) => text;
}

/** Returns the number of columns that a text takes in a terminal. */
export function widthOf(text: string): number {
  return /^[\x20-\x7e]*$/.test(text) ? text.length : stringWidth(text);
}

/** Pads a text with blanks to a number of columns. */
export function padTo(text: string, columns: number): string {
  return text + ' '.repeat(Math.max(columns - widthOf(text), 0));
}

/** One line before wrapping. */
export interface TextLine {
  /** The indentation of the first row, in columns. */
  readonly indent: number;
  readonly spans: readonly StyledSpan[];
  /** The additional indentation of further rows, in columns; 2 unless given. */
  readonly hang?: number;
  /** Whether changed words get a row of marks below them when there is no colour. */
  readonly marks?: boolean;
  /** Whether the line is text of a file, which is not wrapped: a break would not be in the file. */
  readonly verbatim?: boolean;
}

/** Returns a line of one or more texts. */
export function line(indent: number, ...spans: Inline): TextLine {
  return { indent, spans: spans.map((entry) => (typeof entry === 'string' ? { text: entry } : entry)) };
}

/** Returns a line whose further rows are indented by `hang` more columns. */
export function hanging(indent: number, hang: number, ...spans: Inline): TextLine {
  return { ...line(indent, ...spans), hang };
}

/** An empty line. */
export const BLANK: TextLine = { indent: 0, spans: [] };

/** Formats lines as text, with a newline at the end of each row; wraps them at blanks to the width, unless wrapping is off. */
export function layOut(lines: readonly TextLine[], look: Look): string {
  return lines.flatMap((entry) => rowsOf(entry, look).map((row) => `${disarmLine(row)}\n`)).join('');
}

/** The minimum number of columns for text: where indentation would leave fewer, it is reduced. */
const MINIMUM_ROOM = 20;

/** The marks below changed words when there is no colour. */
const MARKS: ReadonlyMap<Style, string> = new Map([
  ['removed-words', '~'],
  ['added-words', '^'],
]);

function rowsOf(entry: TextLine, look: Look): readonly string[] {
  const paint = paintFor(look);
  const width = look.wrap === false || entry.verbatim === true ? Infinity : look.width;
  const furthest = Math.max(width - MINIMUM_ROOM, 0);
  const indent = Math.min(entry.indent, furthest);
  const hang = Math.min(entry.indent + (entry.hang ?? 2), furthest);
  const room = (row: number): number => width - (row === 0 ? indent : hang);
  return wrapSpans(escaped(entry.spans, look), room).flatMap((row, index) => {
    const blank = ' '.repeat(index === 0 ? indent : hang);
    const text = row.map(({ text, style }) => (style === undefined ? text : paint(style, text))).join('');
    const marks = entry.marks === true && !look.colour ? marksOf(row) : '';
    return [(blank + text).trimEnd(), ...(marks === '' ? [] : [blank + marks])];
  });
}

function marksOf(row: readonly StyledSpan[]): string {
  return row
    .map(({ text, style }) => (MARKS.get(style ?? 'dim') ?? ' ').repeat(widthOf(text)))
    .join('')
    .trimEnd();
}

/** A URL, or a path with folders. */
const LEADS = /:\/\/|^[(`"']?\.{0,2}\/[^/\s]+\//u;

/** Escapes spans for printing and drops empty ones. */
function escaped(spans: readonly StyledSpan[], { way = '' }: Look): readonly StyledSpan[] {
  return spans
    .map((piece) => ({ ...piece, text: escapeText(`${isPlace(piece) ? way : ''}${piece.text}`) }))
    .filter(({ text }) => text !== '');
}

/** Whether a span shows a place in a file by its path. */
function isPlace({ text, to }: StyledSpan): boolean {
  return to?.kind === 'file' && text.startsWith(to.file);
}

function widthOfAll(pieces: readonly StyledSpan[]): number {
  return pieces.reduce((sum, { text }) => sum + widthOf(text), 0);
}

/**
 * Wraps escaped spans into rows. A blank at a break is dropped. A word that is wider than a row is cut, unless it is a URL, a path or a
 * command, half of which would be useless.
 */
function wrapSpans(
  spans: readonly StyledSpan[],
  room: (row: number) => number,
): readonly (readonly StyledSpan[])[] {
  const rows: StyledSpan[][] = [[]];
  // Most lines fit, and so do most words of the others: only the rest is examined word by word and cut.
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
    // A new row helps only if it has more room than is left in this one; otherwise the word has to be cut anyway.
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
    const whole =
      word.some((piece) => piece.whole === true) || LEADS.test(word.map(({ text }) => text).join(''));
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

/** Appends a piece to the last row; adjacent pieces of one style become one span. */
function append(rows: StyledSpan[][], piece: StyledSpan): void {
  const row = rows.at(-1) ?? [];
  const last = row.at(-1);
  if (last !== undefined && last.style === piece.style) {
    row[row.length - 1] = { ...last, text: last.text + piece.text };
  } else {
    row.push(piece);
  }
}

/** Splits spans into words, each made of one or more styled pieces; every blank is a word of its own. What is kept whole is no two words. */
function wordsOf(spans: readonly StyledSpan[]): readonly (readonly StyledSpan[])[] {
  const words: StyledSpan[][] = [];
  let open: StyledSpan[] | undefined;
  for (const { text, style, whole } of spans) {
    for (const part of whole === true ? [text] : text.split(/( )/)) {
      const piece: StyledSpan = {
        text: part,
        ...(style === undefined ? {} : { style }),
        ...(whole === undefined ? {} : { whole }),
      };
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

/** Matches up to the last end of a path segment or a list item. */
const ENDS = /^.*[/,]/u;

/** Cuts a piece that is wider than a row into parts that fit: after a path segment or list item, if that fills a third of a row. */
function chop(piece: StyledSpan, room: number): readonly StyledSpan[] {
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
