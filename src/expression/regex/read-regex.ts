import {
  advance,
  atEnd,
  current,
  openPattern,
  refuse,
  skipSpace,
  spanFrom,
  spanHere,
  advanceAndSkip,
  isSpace,
  advanceOver,
} from './cursor.ts';
import type { Cursor } from './cursor.ts';
import { describeProblem } from './problem.ts';
import { readClass } from './read-class.ts';
import { readEscape } from './read-escape.ts';
import type { PatternSpan, Syntax, SyntaxClass, FlagChanges, FlagName } from './regex-syntax.ts';

const COUNTS: ReadonlyMap<string, { readonly min: number; readonly max: number | undefined }> = new Map([
  ['?', { min: 0, max: 1 }],
  ['*', { min: 0, max: undefined }],
  ['+', { min: 1, max: undefined }],
]);

/** Reads `?`, `*`, `+` or a count in braces, each with an optional `?`, after an expression. */
function readRepeat(cursor: Cursor, body: Syntax | undefined): Syntax | undefined {
  if (body === undefined || body.kind === 'flags' || body.kind === 'empty') {
    return refuse(cursor, 'repetition operator missing expression', { span: spanFrom(cursor, cursor.at) });
  }
  const counts = COUNTS.get(current(cursor));
  if (counts === undefined) {
    return readCounted(cursor, body);
  }
  const lazy = advance(cursor) && current(cursor) === '?';
  if (lazy) {
    advance(cursor);
  }
  return { kind: 'repeat', body, ...counts, lazy, span: spanFrom(cursor, body.span.start) };
}

function readCounted(cursor: Cursor, body: Syntax): Syntax | undefined {
  const start = cursor.at;
  const unclosed = (): undefined =>
    refuse(cursor, 'unclosed counted repetition', { span: spanFrom(cursor, start) });
  if (!advanceAndSkip(cursor)) {
    return unclosed();
  }
  const min = readDecimal(cursor);
  if (min === undefined) {
    return undefined;
  }
  let max: number | undefined = min;
  if (current(cursor) === ',') {
    if (!advanceAndSkip(cursor)) {
      return unclosed();
    }
    max = current(cursor) === '}' ? undefined : readDecimal(cursor);
    if (cursor.problem !== undefined) {
      return undefined;
    }
  }
  if (current(cursor) !== '}') {
    return unclosed();
  }
  const lazy = advanceAndSkip(cursor) && current(cursor) === '?';
  if (lazy) {
    advance(cursor);
  }
  if (max !== undefined && min > max) {
    const message = 'invalid repetition count range, the start must be <= the end';
    return refuse(cursor, message, { span: spanFrom(cursor, start) });
  }
  return { kind: 'repeat', body, min, max, lazy, span: spanFrom(cursor, body.span.start) };
}

/** Reads a number; spaces around it are allowed even when the pattern is not verbose. */
function readDecimal(cursor: Cursor): number | undefined {
  while (isSpace(current(cursor))) {
    advance(cursor);
  }
  const start = cursor.at;
  let digits = '';
  while (/^[0-9]$/u.test(current(cursor))) {
    digits += current(cursor);
    advanceAndSkip(cursor);
  }
  const span = spanFrom(cursor, start);
  while (!atEnd(cursor) && isSpace(current(cursor))) {
    advanceAndSkip(cursor);
  }
  if (digits === '') {
    return refuse(cursor, 'repetition quantifier expects a valid decimal', { span });
  }
  return Number(digits) > 0xff_ff_ff_ff
    ? refuse(cursor, 'decimal literal invalid', { span })
    : Number(digits);
}

/** How deep a pattern may nest; the default of the regex crate. */
const NEST_LIMIT = 250;

type Node = Syntax | SyntaxClass;

/**
 * Refuses a pattern that nests too deeply, at the first node beyond the limit, as the regex crate does: groups, repetitions, sequences,
 * alternatives and every level of a class count as one. Code that runs after this check may recurse.
 */
function checkNesting(cursor: Cursor, syntax: Syntax): void {
  const waiting: { readonly node: Node; readonly depth: number }[] = [{ node: syntax, depth: 0 }];
  for (let next = waiting.pop(); next !== undefined; next = waiting.pop()) {
    const inner = innerNodes(next.node);
    const counts = inner.length > 0 && next.node.kind !== 'class';
    const depth = next.depth + (counts ? 1 : 0);
    if (depth > NEST_LIMIT) {
      const message = `exceed the maximum number of nested parentheses/brackets (${NEST_LIMIT})`;
      refuse(cursor, message, { span: next.node.span });
      return;
    }
    for (const node of inner.toReversed()) {
      waiting.push({ node, depth });
    }
  }
}

function innerNodes(node: Node): readonly Node[] {
  switch (node.kind) {
    case 'concat':
    case 'alternate':
      return node.parts;
    case 'group':
    case 'repeat':
      return [node.body];
    case 'class':
      return [node.class];
    case 'bracketed':
      return [node.set];
    case 'union':
      return node.items;
    case 'operation':
      return [node.left, node.right];
    case 'empty':
    case 'flags':
    case 'literal':
    case 'dot':
    case 'assertion':
    case 'nothing':
    case 'range':
    case 'perl':
    case 'posix':
    case 'property':
      return [];
    default:
      return node satisfies never;
  }
}

/** The syntax of a pattern, or the message of the regex crate. */
export type ReadResult =
  | {
      readonly ok: true;
      readonly syntax: Syntax;
      readonly text: readonly string[];
    }
  | { readonly ok: false; readonly message: string };

/** A group that is open while a pattern is read; the outermost has no opening. */
interface OpenGroup {
  readonly opening: Extract<GroupOpening, { readonly kind: 'group' }> | undefined;
  readonly span: PatternSpan;
  readonly verboseOutside: boolean;
  readonly branches: Syntax[];
  parts: Syntax[];
  branchStart: number;
}

/**
 * Reads a pattern in the syntax of the regex crate (rules-language.md 2.5), with its messages and places. Open groups are kept in a list,
 * so that no pattern can exhaust the call stack; nesting is limited as in the crate.
 */
export function readPattern(pattern: string): ReadResult {
  const cursor = openPattern(pattern);
  const syntax = readAll(cursor);
  if (syntax !== undefined) {
    checkNesting(cursor, syntax);
  }
  if (syntax === undefined || cursor.problem !== undefined) {
    const problem = cursor.problem ?? { message: 'unreadable pattern', span: { start: 0, end: 0 } };
    return { ok: false, message: describeProblem(cursor.text, problem) };
  }
  return { ok: true, syntax, text: cursor.text };
}

function readAll(cursor: Cursor): Syntax | undefined {
  const groups: OpenGroup[] = [];
  let group = openGroup(cursor, undefined, spanFrom(cursor, 0));
  for (;;) {
    skipSpace(cursor);
    if (atEnd(cursor)) {
      return groups.length === 0 ? closeBranches(cursor, group) : refuse(cursor, 'unclosed group', group);
    }
    const character = current(cursor);
    if (character === '(') {
      const start = cursor.at;
      const verboseOutside = cursor.verbose;
      const opening = readOpening(cursor);
      if (opening === undefined) {
        return undefined;
      }
      cursor.verbose = opening.changes.get('x') ?? verboseOutside;
      if (opening.kind === 'flags') {
        group.parts.push({ kind: 'flags', changes: opening.changes, span: spanFrom(cursor, start) });
      } else {
        groups.push(group);
        group = { ...openGroup(cursor, opening, { start, end: start + 1 }), verboseOutside };
      }
    } else if (character === ')') {
      const outer = groups.pop();
      if (outer === undefined) {
        return refuse(cursor, 'unopened group', { span: spanHere(cursor) });
      }
      outer.parts.push(closeGroup(cursor, group));
      group = outer;
    } else if (character === '|') {
      closeBranch(cursor, group);
      advance(cursor);
      group.branchStart = cursor.at;
    } else {
      const part = '?*+{'.includes(character) ? readRepeat(cursor, group.parts.pop()) : readOne(cursor);
      if (part === undefined) {
        return undefined;
      }
      group.parts.push(part);
    }
  }
}

function openGroup(cursor: Cursor, opening: OpenGroup['opening'], span: PatternSpan): OpenGroup {
  return { opening, span, verboseOutside: cursor.verbose, branches: [], parts: [], branchStart: cursor.at };
}

function closeBranch(cursor: Cursor, group: OpenGroup): void {
  const { parts } = group;
  const [only] = parts;
  const span = spanFrom(cursor, group.branchStart);
  if (only === undefined) {
    group.branches.push({ kind: 'empty', span });
  } else {
    group.branches.push(parts.length === 1 ? only : { kind: 'concat', parts, span });
  }
  group.parts = [];
}

function closeBranches(cursor: Cursor, group: OpenGroup): Syntax {
  const start = group.branches[0]?.span.start ?? group.branchStart;
  closeBranch(cursor, group);
  const [only] = group.branches;
  return only !== undefined && group.branches.length === 1
    ? only
    : { kind: 'alternate', parts: group.branches, span: spanFrom(cursor, start) };
}

function closeGroup(cursor: Cursor, group: OpenGroup): Syntax {
  const body = closeBranches(cursor, group);
  advance(cursor);
  cursor.verbose = group.verboseOutside;
  const changes = group.opening?.changes ?? new Map();
  return {
    kind: 'group',
    capturing: group.opening?.capturing === true,
    changes,
    body,
    span: spanFrom(cursor, group.span.start),
  };
}

/** Reads one character, dot, anchor, class or escape. */
function readOne(cursor: Cursor): Syntax | undefined {
  const character = current(cursor);
  if (character === '\\') {
    return readEscape(cursor);
  }
  if (character === '[') {
    const read = readClass(cursor);
    return read === undefined ? undefined : { kind: 'class', class: read, span: read.span };
  }
  const span = spanHere(cursor);
  advance(cursor);
  if (character === '.') {
    return { kind: 'dot', span };
  }
  if (character === '^' || character === '$') {
    return { kind: 'assertion', name: character, span };
  }
  return { kind: 'literal', codePoint: character.codePointAt(0) ?? 0, byte: false, span };
}

/** What a parenthesis opens: a group, or flags for the rest of the group around it. */
type GroupOpening =
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
function readOpening(cursor: Cursor): GroupOpening | undefined {
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
