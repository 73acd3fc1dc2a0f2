import { isJsonArray } from '../model/json.ts';
import { escapeJson } from './escape.ts';
import { inPieces, wholeText } from './pieces.ts';

/** Down to this depth what a value holds is written one by one: a document, its plan, the scopes, what a scope holds. */
const DEPTH = 3;

/** A text in which a value stands at that depth. */
const around = (value: unknown): string => JSON.stringify([[[value]]], null, 2);

/** Where the value begins in it, and how much follows the value. */
const BEGIN = around(0).indexOf('0');
const END = around(0).length - BEGIN - 1;

/**
 * One JSON value as text: two blanks a level, a newline at the end. The same value gives the same bytes.
 * What could steer a terminal or reorder a line is spelled `\u1234`, which means the same.
 */
export function jsonText(value: unknown): string {
  return wholeText(jsonPieces(value));
}

/** The same text in pieces: of a plan of many scopes neither all of it nor all scopes have to be in memory at once. */
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
    // V8's own writer with the right indent, which is faster than to indent its text afterwards.
    yield escapeJson(around(value).slice(BEGIN, -END));
  } else if (isJsonArray(value)) {
    yield* container(depth, '[]', itemsOf(value));
  } else {
    yield* container(depth, '{}', membersOf(value));
  }
}

/** What stands before a value, and the value. */
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
    // As `JSON.stringify` leaves it out.
    if (value !== undefined) {
      yield [escapeJson(`${JSON.stringify(key)}: `), value];
    }
  }
}
