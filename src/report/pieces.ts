import { isJsonArray } from '../data/index.ts';
import { escapeJson } from './escape.ts';

/** A rendering: whole, or in pieces that are produced on demand. */
export type Pieces = string | Iterable<string>;

/** Whether a value is a rendering. */
export function isPieces(value: unknown): value is Pieces {
  return (
    typeof value === 'string' || (typeof value === 'object' && value !== null && Symbol.iterator in value)
  );
}

/** Joins a rendering to one text. */
export function joinPieces(pieces: Pieces): string {
  return typeof pieces === 'string' ? pieces : [...pieces].join('');
}

/** Yields the pieces of several renderings in sequence. */
export function* inTurn<Piece>(...parts: readonly Iterable<Piece>[]): Iterable<Piece> {
  for (const part of parts) {
    yield* part;
  }
}

/** The minimum length of a piece in UTF-16 units, because each write has a cost. */
const LEAST = 65_536;

/** Joins texts to larger pieces; only the last may be short. */
export function* inPieces(texts: Iterable<string>): Iterable<string> {
  let piece = '';
  for (const text of texts) {
    piece += text;
    if (piece.length >= LEAST) {
      yield piece;
      piece = '';
    }
  }
  if (piece !== '') {
    yield piece;
  }
}

/** Down to this depth the members of a value are written one by one: a document, its plan, the scopes, the members of a scope. */
const DEPTH = 3;

/** Returns JSON with a value at that depth. */
const around = (value: unknown): string => JSON.stringify([[[value]]], null, 2);

/** The offset of the value in that JSON, and the number of characters after it. */
const BEGIN = around(0).indexOf('0');
const END = around(0).length - BEGIN - 1;

/**
 * Formats a JSON value as text, indented by two blanks per level, with a newline at the end. Equal values give equal bytes. Characters that
 * could control a terminal or reorder a line are spelled `\u1234`, which means the same.
 */
export function jsonText(value: unknown): string {
  return joinPieces(jsonPieces(value));
}

/**
 * Formats as `jsonText` does, but in pieces: for a plan of many scopes, neither the whole text nor all scopes have to be in memory at once.
 */
export function jsonPieces(value: unknown): Iterable<string> {
  return inPieces(document(value));
}

function* document(value: unknown): Iterable<string> {
  yield* valueAt(0, value);
  yield '\n';
}

function* valueAt(depth: number, value: unknown): Iterable<string> {
  if (typeof value !== 'object' || value === null) {
    yield escapeJson(JSON.stringify(value ?? null));
  } else if (depth === DEPTH) {
    // V8's serializer with the right indentation is faster than indenting its output afterwards.
    yield escapeJson(around(value).slice(BEGIN, -END));
  } else if (isJsonArray(value)) {
    yield* container(depth, '[]', itemsOf(value));
  } else {
    yield* container(depth, '{}', membersOf(value));
  }
}

/** The text before a value, and the value. */
type Entry = readonly [head: string, value: unknown];

function* container(depth: number, brackets: '[]' | '{}', entries: Iterable<Entry>): Iterable<string> {
  let mark = brackets.slice(0, 1);
  const open = mark;
  for (const [head, value] of entries) {
    yield `${mark}\n${'  '.repeat(depth + 1)}${head}`;
    yield* valueAt(depth + 1, value);
    mark = ',';
  }
  yield mark === open ? brackets : `\n${'  '.repeat(depth)}${brackets.slice(1)}`;
}

function* itemsOf(items: readonly unknown[]): Iterable<Entry> {
  for (const item of items) {
    yield ['', item];
  }
}

function* membersOf(object: object): Iterable<Entry> {
  for (const [key, value] of Object.entries(object)) {
    // `JSON.stringify` also leaves out undefined members.
    if (value !== undefined) {
      yield [escapeJson(`${JSON.stringify(key)}: `), value];
    }
  }
}
