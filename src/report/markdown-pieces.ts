import { assertNever, memoiseWeakly } from '../data/index.ts';
import { counted } from '../text/index.ts';
import { longestRun } from './markdown-escape.ts';

/**
 * A piece of a Markdown document. Its texts are finished Markdown, in which untrusted text has been escaped. Unlike a text, a piece knows
 * where it may be cut.
 */
export type MarkdownPiece =
  /** A paragraph, or a heading, which stays with what follows; `stands` counts what is below it. */
  | {
      readonly kind: 'text';
      readonly text: string;
      readonly isHeading?: true;
      readonly stands?: { readonly count: number; readonly noun: string };
    }
  | { readonly kind: 'list'; readonly items: readonly string[] }
  /** An alert box. */
  | {
      readonly kind: 'box';
      readonly level: 'caution' | 'warning' | 'note';
      readonly title: string;
      readonly items: readonly string[];
    }
  | {
      readonly kind: 'table';
      /** The titles of the first columns, which contain words. */
      readonly words: readonly string[];
      /** The titles of the other columns, which contain numbers. */
      readonly numbers: readonly string[];
      readonly rows: readonly (readonly string[])[];
    }
  /** Raw lines in a code fence, with a title above. */
  | {
      readonly kind: 'code';
      readonly title: string;
      readonly language: string;
      readonly lines: readonly string[];
    }
  /** A folded section. The summary is HTML. */
  | { readonly kind: 'fold'; readonly summary: string; readonly body: readonly MarkdownPiece[] };

/** Formats pieces as Markdown, separated by blank lines. */
export function piecesText(pieces: Iterable<MarkdownPiece>): string {
  return [...pieceTexts(pieces)].join('');
}

/** Formats as `piecesText` does, but yields one piece at a time. */
export function* pieceTexts(pieces: Iterable<MarkdownPiece>): Iterable<string> {
  let between = '';
  for (const piece of pieces) {
    yield between + pieceText(piece);
    between = '\n\n';
  }
}

function pieceText(piece: MarkdownPiece): string {
  switch (piece.kind) {
    case 'text':
      return piece.text;
    case 'list':
      return piece.items.map((item) => `- ${item}`).join('\n');
    case 'box':
      return [
        `> [!${piece.level.toUpperCase()}]`,
        `> **${piece.title}**`,
        '>',
        ...piece.items.map((item) => `> - ${item.replaceAll('\n', '\n> ')}`),
      ].join('\n');
    case 'table':
      return [
        [...piece.words, ...piece.numbers],
        [...piece.words.map(() => '---'), ...piece.numbers.map(() => '--:')],
        ...piece.rows,
      ]
        .map((cells) => `| ${cells.join(' | ')} |`)
        .join('\n');
    case 'code':
      return [...(piece.title === '' ? [] : [piece.title, '']), ...fenced(piece.language, piece.lines)].join(
        '\n',
      );
    case 'fold':
      return `<details><summary>${piece.summary}</summary>\n\n${piecesText(piece.body)}\n\n</details>`;
    default:
      return assertNever(piece);
  }
}

/** Returns a code fence that none of its lines can close. */
function fenced(language: string, lines: readonly string[]): readonly string[] {
  const marks = '`'.repeat(Math.max(3, ...lines.map((line) => longestRun(line) + 1)));
  return [`${marks}${language}`, ...lines, marks];
}

/** Returns the length of a text in the unit of a limit. */
export type Measure = (text: string) => number;

/** Counts Unicode characters, as GitHub and GitLab do for comments. */
export function characters(text: string): number {
  return text.length - (text.match(/[\u{10000}-\u{10ffff}]/gu)?.length ?? 0);
}

/** Counts bytes in UTF-8, the unit of the limit of a step summary. */
export function bytes(text: string): number {
  return new TextEncoder().encode(text).length;
}

/**
 * Splits pieces into parts that are each at most `limit` long as Markdown. Cuts between pieces if possible, else between the members of
 * one: a fold, a table or a list continues in the next part under its own heading. Nothing is lost.
 */
export function splitPieces(
  pieces: readonly MarkdownPiece[],
  limit: number,
  measure: Measure = characters,
): readonly (readonly MarkdownPiece[])[] {
  const size = memoiseWeakly((piece: MarkdownPiece) => measure(piecesText([piece])));
  const parts: (readonly MarkdownPiece[])[] = [];
  let rest = pieces;
  while (rest.length > 0) {
    const cut = fill(rest, { room: limit, limit, size });
    parts.push(cut.head);
    rest = cut.tail;
  }
  return parts;
}

interface Room {
  readonly room: number;
  /** The room of an empty part. */
  readonly limit: number;
  readonly size: (piece: MarkdownPiece) => number;
}

interface Cut<T> {
  readonly head: T;
  readonly tail: readonly MarkdownPiece[];
}

/** The length of the blank line between two pieces. */
const GAP = 2;

function fill(pieces: readonly MarkdownPiece[], { room, limit, size }: Room): Cut<readonly MarkdownPiece[]> {
  const head: MarkdownPiece[] = [];
  let left = room;
  for (const [index, piece] of pieces.entries()) {
    const needed = size(piece) + GAP;
    if (needed <= left) {
      head.push(piece);
      left -= needed;
      continue;
    }
    // A piece that fits into a part of its own is not cut to fill a little room.
    const whole = head.length > 0 && needed <= limit && left < limit / 2;
    const cut = whole ? null : divide(piece, { room: left - GAP, limit, size });
    const after = pieces.slice(index + 1);
    if (cut !== null) {
      return { head: [...head, cut.head], tail: [...cut.tail, ...after] };
    }
    return head.length > 0 ? withoutHeading(head, [piece, ...after]) : { head: [piece], tail: after };
  }
  return { head, tail: [] };
}

/** Moves a heading at the end of a part to the next part, where its content is. */
function withoutHeading(
  head: readonly MarkdownPiece[],
  tail: readonly MarkdownPiece[],
): Cut<readonly MarkdownPiece[]> {
  const last = head.at(-1);
  return head.length > 1 && last?.kind === 'text' && last.isHeading === true
    ? { head: head.slice(0, -1), tail: [last, ...tail] }
    : { head, tail };
}

const CONTINUED = ' (continued)';

/** Cuts a piece so that its first part fits; null when no part does. */
function divide(piece: MarkdownPiece, room: Room): Cut<MarkdownPiece> | null {
  switch (piece.kind) {
    case 'text':
      return null;
    case 'list':
    case 'box':
      return members(piece.items, room, (items, part) => ({
        ...piece,
        ...(piece.kind === 'box' && part === 'next' ? { title: continued(piece.title) } : {}),
        items,
      }));
    case 'table':
      return members(piece.rows, room, (rows) => ({ ...piece, rows }));
    case 'code':
      return members(
        room.size(piece) > room.limit ? shortened(piece.lines, room) : piece.lines,
        room,
        (lines, part) => ({
          ...piece,
          title: part === 'next' && piece.title !== '' ? continued(piece.title) : piece.title,
          lines,
        }),
      );
    case 'fold': {
      const empty = { ...piece, body: [] };
      const inner = room.room - room.size(empty) - GAP;
      const cut = fill(piece.body, { ...room, room: inner, limit: room.limit - room.size(empty) - GAP });
      return inner <= 0 || cut.tail.length === 0 || room.size({ ...piece, body: cut.head }) > room.room
        ? null
        : {
            head: { ...piece, body: cut.head },
            tail: [{ ...piece, summary: continued(piece.summary), body: cut.tail }],
          };
    }
    default:
      return assertNever(piece);
  }
}

function continued(title: string): string {
  return title.endsWith(CONTINUED) ? title : `${title}${CONTINUED}`;
}

/** Cuts a piece after as many members as fit; `make` builds a piece of some members. */
function members<T>(
  all: readonly T[],
  { room, size }: Room,
  make: (some: readonly T[], part: 'first' | 'next') => MarkdownPiece,
): Cut<MarkdownPiece> | null {
  let fits = 0;
  for (let least = 1, most = all.length; least <= most;) {
    const middle = Math.floor((least + most) / 2);
    if (size(make(all.slice(0, middle), 'first')) <= room) {
      fits = middle;
      least = middle + 1;
    } else {
      most = middle - 1;
    }
  }
  return fits === 0
    ? null
    : { head: make(all.slice(0, fits), 'first'), tail: [make(all.slice(fits), 'next')] };
}

/** Breaks lines so that none is longer than a quarter of a part. */
function shortened(lines: readonly string[], { limit }: Room): readonly string[] {
  const most = Math.max(1, Math.floor(limit / 4));
  return lines.flatMap((line) => {
    const chars = line.length <= most ? [] : Array.from(line);
    const sign = line.slice(0, 2);
    return chars.length === 0
      ? [line]
      : Array.from({ length: Math.ceil(chars.length / most) }, (_, index) => {
          const piece = chars.slice(index * most, (index + 1) * most).join('');
          return index === 0 ? piece : `${sign}${piece}`;
        });
  });
}

/** The room for a document. */
interface Parts {
  /** The maximum length of a part. */
  readonly limit: number;
  /** The maximum number of parts. */
  readonly most: number;
  readonly measure?: Measure;
}

/** The parts of a document that fit. */
export interface Fitted {
  readonly parts: readonly (readonly MarkdownPiece[])[];
  /** The note about what was left out; null when everything fits. */
  readonly rest: MarkdownPiece | null;
}

/** Fits as much of a document as possible into the parts, and counts what is left out. */
export function fitPieces(pieces: readonly MarkdownPiece[], { limit, most, measure }: Parts): Fitted {
  const parts = splitPieces(pieces, limit, measure);
  const left = parts.slice(most).flat();
  return { parts: parts.slice(0, most), rest: left.length === 0 ? null : restPiece(left) };
}

/** Returns the note about what was left out: what is least severe, because the most severe comes first. */
function restPiece(left: readonly MarkdownPiece[]): MarkdownPiece {
  const headings = left.flatMap((piece) => ('stands' in piece && piece.stands !== undefined ? [piece] : []));
  const count = headings.reduce((sum, { stands }) => sum + (stands?.count ?? 0), 0);
  const noun = headings[0]?.stands?.noun ?? '';
  const missing = [
    ...(headings[0] !== undefined && headings[0] === left[0] ? [] : ['the end of what is shown last']),
    ...(count === 0 ? [] : [counted(count, `more ${noun}`)]),
  ];
  return { kind: 'text', text: `**Left out here: ${missing.join(' and ')}.** ${ELSEWHERE}` };
}

const ELSEWHERE =
  "The whole is in the job's artifact (`--artifact`), in the page (`--format html`) and in the saved plan.";
