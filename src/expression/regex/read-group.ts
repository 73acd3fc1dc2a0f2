import { advance, advanceOver, atEnd, current, refuse, skipSpace, spanFrom, spanHere } from './cursor.ts';
import type { Cursor } from './cursor.ts';
import type { FlagChanges, FlagName, PatternSpan } from './syntax.ts';

/** What a parenthesis opens: a group, or flags for the rest of the group around it. */
export type GroupOpening =
  | { readonly kind: 'group'; readonly capturing: boolean; readonly changes: FlagChanges }
  | { readonly kind: 'flags'; readonly changes: FlagChanges };

const FLAGS: ReadonlyMap<string, FlagName> = new Map([
  ['i', 'i'],
  ['m', 'm'],
  ['s', 's'],
  ['U', 'U'],
  ['u', 'u'],
  ['R', 'R'],
  ['x', 'x'],
]);

const NO_CHANGES: FlagChanges = new Map();

/** Reads `(`, `(?:`, `(?P<name>`, `(?<name>`, `(?i:` or `(?i)`; the cursor stands on the parenthesis. */
export function readOpening(cursor: Cursor): GroupOpening | undefined {
  const open = spanHere(cursor);
  advance(cursor);
  skipSpace(cursor);
  if (['?=', '?!', '?<=', '?<!'].some((prefix) => advanceOver(cursor, prefix))) {
    const message = 'look-around, including look-ahead and look-behind, is not supported';
    return refuse(cursor, message, { span: spanFrom(cursor, open.start) });
  }
  const inner = cursor.at;
  if (advanceOver(cursor, '?P<') || advanceOver(cursor, '?<')) {
    return readName(cursor) ? { kind: 'group', capturing: true, changes: NO_CHANGES } : undefined;
  }
  if (!advanceOver(cursor, '?')) {
    return { kind: 'group', capturing: true, changes: NO_CHANGES };
  }
  if (atEnd(cursor)) {
    return refuse(cursor, 'unclosed group', { span: open });
  }
  const changes = readFlags(cursor);
  if (changes === undefined) {
    return undefined;
  }
  const closed = current(cursor) === ')';
  advance(cursor);
  if (!closed) {
    return { kind: 'group', capturing: false, changes };
  }
  if (changes.size === 0) {
    return refuse(cursor, 'repetition operator missing expression', { span: { start: inner, end: inner } });
  }
  return { kind: 'flags', changes };
}

/** Reads the name of a group up to `>`; returns whether it is well-formed and new. */
function readName(cursor: Cursor): boolean {
  const start = cursor.at;
  while (!atEnd(cursor) && current(cursor) !== '>') {
    const allowed = cursor.at === start ? /^[_\p{Alphabetic}]$/u : /^[_.[\]\p{Alphabetic}\p{N}]$/u;
    if (!allowed.test(current(cursor))) {
      refuse(cursor, 'invalid capture group character', { span: spanHere(cursor) });
      return false;
    }
    advance(cursor);
  }
  const span = spanFrom(cursor, start);
  if (atEnd(cursor)) {
    refuse(cursor, 'unclosed capture group name', { span: { start: span.end, end: span.end } });
    return false;
  }
  advance(cursor);
  if (span.start === span.end) {
    refuse(cursor, 'empty capture group name', { span });
    return false;
  }
  const name = cursor.text.slice(span.start, span.end).join('');
  const original = cursor.names.get(name);
  if (original !== undefined) {
    refuse(cursor, 'duplicate capture group name', { span, original });
    return false;
  }
  cursor.names.set(name, span);
  return true;
}

/** Reads flags up to `:` or `)`, where the cursor then stands. */
function readFlags(cursor: Cursor): FlagChanges | undefined {
  const changes = new Map<FlagName, boolean>();
  const seen = new Map<string, PatternSpan>();
  let on = true;
  while (current(cursor) !== ':' && current(cursor) !== ')') {
    const character = current(cursor);
    const span = spanHere(cursor);
    const flag = FLAGS.get(character);
    if (flag === undefined && character !== '-') {
      return refuse(cursor, 'unrecognized flag', { span });
    }
    const original = seen.get(character);
    if (original !== undefined) {
      const message = flag === undefined ? 'flag negation operator repeated' : 'duplicate flag';
      return refuse(cursor, message, { span, original });
    }
    seen.set(character, span);
    if (flag === undefined) {
      on = false;
    } else {
      changes.set(flag, on);
    }
    if (!advance(cursor)) {
      return refuse(cursor, 'expected flag but got end of regex', { span: spanFrom(cursor, cursor.at) });
    }
  }
  const last = cursor.at - 1;
  if (cursor.text[last] === '-') {
    return refuse(cursor, 'dangling flag negation operator', { span: { start: last, end: last + 1 } });
  }
  return changes;
}
