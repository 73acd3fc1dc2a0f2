import {
  advance,
  advanceAndSkip,
  advanceOver,
  atEnd,
  current,
  peek,
  peekOverSpace,
  refuse,
  skipSpace,
  spanFrom,
  spanHere,
} from './cursor.ts';
import type { Cursor } from './cursor.ts';
import { isPosixClass } from './posix.ts';
import { readEscape } from './read-escape.ts';
import type { Escape } from './read-escape.ts';
import type { PatternSpan, SyntaxClass, SyntaxClassOperation, SyntaxLiteral } from './regex-syntax.ts';

/** What is open while a class is read: brackets, and operators without their right side yet. */
type OpenClass =
  | {
      readonly kind: 'bracket';
      readonly outer: SyntaxClass[];
      readonly negated: boolean;
      readonly span: PatternSpan;
    }
  | {
      readonly kind: 'operator';
      readonly operator: SyntaxClassOperation['operator'];
      readonly left: SyntaxClass;
    };

const OPERATORS: ReadonlyMap<string, SyntaxClassOperation['operator']> = new Map([
  ['&', '&&'],
  ['-', '--'],
  ['~', '~~'],
]);

/** Reads a class in brackets; the cursor stands on the first `[`. Nested classes are kept in a list, not on the call stack. */
export function readClass(cursor: Cursor): SyntaxClass | undefined {
  const open: OpenClass[] = [];
  let items: SyntaxClass[] = [];
  for (;;) {
    skipSpace(cursor);
    if (atEnd(cursor)) {
      return refuseUnclosed(cursor, open);
    }
    const character = current(cursor);
    const operator = peek(cursor) === character ? OPERATORS.get(character) : undefined;
    if (character === '[') {
      const posix = open.length === 0 ? undefined : readPosixClass(cursor);
      if (posix !== undefined) {
        items.push(posix);
        continue;
      }
      const start = cursor.at;
      const opening = readOpening(cursor);
      if (opening === undefined) {
        return undefined;
      }
      open.push({ kind: 'bracket', outer: items, negated: opening.negated, span: spanFrom(cursor, start) });
      items = opening.items;
    } else if (character === ']') {
      const set = closeOperator(open, unite(items, cursor.at));
      const bracket = open.pop();
      advance(cursor);
      if (bracket?.kind !== 'bracket') {
        return set;
      }
      const span = spanFrom(cursor, bracket.span.start);
      const closed: SyntaxClass = { kind: 'bracketed', negated: bracket.negated, set, span };
      if (open.length === 0) {
        return closed;
      }
      items = bracket.outer;
      items.push(closed);
    } else if (operator !== undefined) {
      advanceOver(cursor, operator);
      const left = closeOperator(open, unite(items, cursor.at));
      open.push({ kind: 'operator', operator, left });
      items = [];
    } else {
      const item = readItemOrRange(cursor, open);
      if (item === undefined) {
        return undefined;
      }
      items.push(item);
    }
  }
}

function unite(items: readonly SyntaxClass[], at: number): SyntaxClass {
  const [first] = items;
  const last = items.at(-1);
  if (first === undefined || last === undefined) {
    return { kind: 'nothing', span: { start: at, end: at } };
  }
  return items.length === 1
    ? first
    : { kind: 'union', items, span: { start: first.span.start, end: last.span.end } };
}

function closeOperator(open: OpenClass[], right: SyntaxClass): SyntaxClass {
  const waiting = open.at(-1);
  if (waiting?.kind !== 'operator') {
    return right;
  }
  open.pop();
  const { operator, left } = waiting;
  return { kind: 'operation', operator, left, right, span: { start: left.span.start, end: right.span.end } };
}

function refuseUnclosed(cursor: Cursor, open: readonly OpenClass[]): undefined {
  const bracket = open.findLast((state) => state.kind === 'bracket');
  return refuse(cursor, 'unclosed character class', { span: bracket?.span ?? spanHere(cursor) });
}

/** Reads `[`, `[^`, and the literal `-` and `]` that may follow at once. */
function readOpening(
  cursor: Cursor,
): { readonly negated: boolean; readonly items: SyntaxClass[] } | undefined {
  const start = cursor.at;
  const unclosed = (end: number): undefined =>
    refuse(cursor, 'unclosed character class', { span: { start, end } });
  if (!advanceAndSkip(cursor)) {
    return unclosed(cursor.at);
  }
  const negated = current(cursor) === '^';
  if (negated && !advanceAndSkip(cursor)) {
    return unclosed(cursor.at);
  }
  const items: SyntaxClass[] = [];
  while (current(cursor) === '-') {
    items.push({ kind: 'literal', codePoint: 0x2d, byte: false, span: spanHere(cursor) });
    if (!advanceAndSkip(cursor)) {
      return unclosed(start);
    }
  }
  if (items.length === 0 && current(cursor) === ']') {
    items.push({ kind: 'literal', codePoint: 0x5d, byte: false, span: spanHere(cursor) });
    if (!advanceAndSkip(cursor)) {
      return unclosed(cursor.at);
    }
  }
  return { negated, items };
}

/** Reads `[:name:]`; for anything else, a nested class, the cursor stays. */
function readPosixClass(cursor: Cursor): SyntaxClass | undefined {
  const start = cursor.at;
  const written = /^\[:(\^?)([^:]*):\]/u.exec(cursor.text.slice(start, start + 12).join(''));
  const name = written?.[2] ?? '';
  if (written === null || !isPosixClass(name)) {
    return undefined;
  }
  cursor.at += written[0].length;
  return { kind: 'posix', name, negated: written[1] === '^', span: spanFrom(cursor, start) };
}

function readItemOrRange(cursor: Cursor, open: readonly OpenClass[]): SyntaxClass | undefined {
  const first = readItem(cursor);
  if (first === undefined) {
    return undefined;
  }
  skipSpace(cursor);
  if (atEnd(cursor)) {
    return refuseUnclosed(cursor, open);
  }
  // `-` before `]` is a literal, and `--` is an operator.
  if (current(cursor) !== '-' || peekOverSpace(cursor) === ']' || peekOverSpace(cursor) === '-') {
    return asItem(cursor, first);
  }
  if (!advanceAndSkip(cursor)) {
    return refuseUnclosed(cursor, open);
  }
  const last = readItem(cursor);
  if (last === undefined) {
    return undefined;
  }
  const bounds = [
    asBound(cursor, first),
    cursor.problem === undefined ? asBound(cursor, last) : undefined,
  ] as const;
  if (bounds[0] === undefined || bounds[1] === undefined) {
    return undefined;
  }
  const span = { start: first.span.start, end: last.span.end };
  if (bounds[0].codePoint > bounds[1].codePoint) {
    return refuse(cursor, 'invalid character class range, the start must be <= the end', { span });
  }
  return { kind: 'range', first: bounds[0], last: bounds[1], span };
}

function readItem(cursor: Cursor): Escape | undefined {
  if (current(cursor) === '\\') {
    return readEscape(cursor);
  }
  const span = spanHere(cursor);
  const codePoint = current(cursor).codePointAt(0) ?? 0;
  advance(cursor);
  return { kind: 'literal', codePoint, byte: false, span };
}

function asItem(cursor: Cursor, escape: Escape): SyntaxClass | undefined {
  switch (escape.kind) {
    case 'literal':
      return escape;
    case 'class':
      return escape.class;
    case 'assertion':
      return refuse(cursor, 'invalid escape sequence found in character class', { span: escape.span });
    default:
      return escape satisfies never;
  }
}

function asBound(cursor: Cursor, escape: Escape): SyntaxLiteral | undefined {
  return escape.kind === 'literal'
    ? escape
    : refuse(cursor, 'invalid range boundary, must be a literal', { span: escape.span });
}
