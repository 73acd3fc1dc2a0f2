import type { Condition, Leaf, Tree } from '../../expression/index.ts';
import {
  compileFilter,
  encodeBytes,
  excludes,
  implies,
  parseExpression,
  plainField,
  takeInventory,
} from '../../expression/index.ts';
import { assertNever, objectOf } from '../../data/index.ts';
import type { RuleContent } from '../../model/index.ts';
import { phaseFacts, actionKind } from '../../model/index.ts';
import { treeOf } from './conditions.ts';
import { possibleTexts } from './possible-values.ts';
import type { TextPiece } from './possible-text.ts';
import { joinTexts, text } from './possible-text.ts';

/** Whether the rules of a phase rewrite URLs; the rules of later phases see only the new one. */
export function rewritesUrl(phase: string): boolean {
  return phaseFacts(phase)?.rewrites === 'url';
}

/**
 * How a condition may answer for a request whose URL a rule rewrites, first with the requested URL and then with the new one: a set of pairs of
 * answers, as bits.
 */
export type Answers = number;

export const STAYS_TRUE = 1;
export const BECOMES_FALSE = 2;
export const BECOMES_TRUE = 4;
const STAYS_FALSE = 8;

const SAME = STAYS_TRUE | STAYS_FALSE;
const ANY = SAME | BECOMES_FALSE | BECOMES_TRUE;
const WAS_TRUE = STAYS_TRUE | BECOMES_FALSE;
const IS_TRUE = STAYS_TRUE | BECOMES_TRUE;

/** A rewrite of the URL of the requests that a rule matches. */
export interface Rewriting {
  readonly condition: Tree | undefined;
  /** The fields that it may change. */
  readonly fields: RegExp;
  /** What the new path may be; undefined when it stays. */
  readonly paths: readonly (readonly TextPiece[])[] | undefined;
  /** Whether no other rule may have rewritten these requests. */
  readonly isAlone: boolean;
}

const PATH = 'http.request.uri.path';
const OF_PATH = /^http\.request\.(?:uri(?:\.path(?:\..*)?)?|full_uri)$/;
const OF_QUERY = /^http\.request\.(?:uri(?:\.(?:query|args).*)?|full_uri)$/;
const OF_BOTH = /^http\.request\.(?:uri(?:\..*)?|full_uri)$/;

/** Returns what a rule rewrites in the URL; undefined if nothing. */
export function rewritingOf(
  content: RuleContent | null,
  { zone, isAlone }: { readonly zone: string | undefined; readonly isAlone: boolean },
): Rewriting | undefined {
  if (content?.enabled !== true || actionKind(content.action) !== 'rewrite') {
    return undefined;
  }
  const { path, query } = objectOf(content.action_parameters?.['uri']);
  if (path === undefined && query === undefined) {
    return undefined;
  }
  const condition = treeOf(content.expression);
  return {
    condition,
    fields: path === undefined ? OF_QUERY : query === undefined ? OF_PATH : OF_BOTH,
    paths: path === undefined ? undefined : newPaths(objectOf(path), condition, zone),
    isAlone,
  };
}

function newPaths(
  { value, expression }: ReturnType<typeof objectOf>,
  condition: Tree | undefined,
  zone: string | undefined,
): Rewriting['paths'] {
  if (typeof expression !== 'string') {
    return [[text(typeof value === 'string' ? value : '')]];
  }
  const parsed = parseExpression(expression, { mode: 'value' });
  const isSure = (comparison: string): boolean => {
    const tree = treeOf(comparison);
    return tree !== undefined && condition !== undefined && implies(condition, tree);
  };
  return parsed.ok && parsed.tree.mode === 'value'
    ? possibleTexts(parsed.tree.root, { zone, isSure }).map(({ pieces }) => joinTexts(pieces))
    : [[{ kind: 'part', from: expression, holds: 'any' }]];
}

/** Whether a condition may read what rewrites change. */
export function readsUrl(expression: string): boolean {
  return /\buri\b|full_uri/.test(expression);
}

/** Returns how a condition may answer for the rewritten requests. */
export function answersFor(expression: string, rewriting: Rewriting): Answers {
  const tree = treeOf(expression);
  if (tree?.mode !== 'filter') {
    return ANY;
  }
  const { condition, isAlone } = rewriting;
  if (!isAlone || condition === undefined) {
    return answers(tree.root, rewriting);
  }
  return excludes(condition, tree)
    ? answers(tree.root, rewriting) & ~WAS_TRUE
    : implies(condition, tree)
      ? answers(tree.root, rewriting) & WAS_TRUE
      : answers(tree.root, rewriting);
}

function answers(condition: Condition, rewriting: Rewriting): Answers {
  switch (condition.kind) {
    case 'group':
      return answers(condition.item, rewriting);
    case 'not':
      return combined(answers(condition.item, rewriting), STAYS_TRUE, (one, other) => one !== other);
    case 'and':
      return all(condition.items, rewriting, (one, other) => one && other);
    case 'or':
      return all(condition.items, rewriting, (one, other) => one || other);
    case 'xor':
      return all(condition.items, rewriting, (one, other) => one !== other);
    case 'quantifier':
    case 'comparison':
    case 'bare':
      return ofLeaf(condition, rewriting);
    default:
      return assertNever(condition);
  }
}

type Operation = (one: boolean, other: boolean) => boolean;

function all(items: readonly Condition[], rewriting: Rewriting, operation: Operation): Answers {
  return items
    .map((item) => answers(item, rewriting))
    .reduce((one, other) => combined(one, other, operation));
}

const PAIRS = [STAYS_TRUE, BECOMES_FALSE, BECOMES_TRUE, STAYS_FALSE];

function combined(some: Answers, others: Answers, operation: Operation): Answers {
  let found = 0;
  for (const one of PAIRS.filter((pair) => (some & pair) !== 0)) {
    for (const other of PAIRS.filter((pair) => (others & pair) !== 0)) {
      const was = operation((one & WAS_TRUE) !== 0, (other & WAS_TRUE) !== 0);
      const is = operation((one & IS_TRUE) !== 0, (other & IS_TRUE) !== 0);
      found |= was ? (is ? STAYS_TRUE : BECOMES_FALSE) : is ? BECOMES_TRUE : STAYS_FALSE;
    }
  }
  return found;
}

function ofLeaf(leaf: Leaf, rewriting: Rewriting): Answers {
  const { condition, fields, paths, isAlone } = rewriting;
  const read = fieldsIn(leaf);
  if (![...read].some((name) => fields.test(name))) {
    return SAME;
  }
  const tested = read.size === 1 && read.has(PATH) ? paths : undefined;
  const then = (tested ?? [undefined]).reduce((found, path) => found | thenOf(leaf, path), 0);
  const tree: Tree = { mode: 'filter', root: leaf };
  return !isAlone || condition === undefined
    ? then
    : implies(condition, tree)
      ? then & WAS_TRUE
      : excludes(condition, tree)
        ? then & ~WAS_TRUE
        : then;
}

/** Returns how a test of the path alone may answer for one form of the new path; any if it is not known. */
function thenOf(leaf: Leaf, path: readonly TextPiece[] | undefined): Answers {
  const [first, ...rest] = path ?? [];
  if (path === undefined) {
    return ANY;
  }
  if (first === undefined || (first.kind === 'text' && rest.length === 0)) {
    return is(answerFor(leaf, first?.kind === 'text' ? first.text : ''));
  }
  const [second] = rest;
  // The path as it was: it is read as a slash with what follows.
  const isKept = first.kind === 'text' && first.text === '/' && rest.length === 1 && second?.kind === 'part';
  return isKept && second.from === PATH ? SAME : is(answerFromPieces(leaf, path));
}

function is(answer: boolean | undefined): Answers {
  return answer === undefined ? ANY : answer ? IS_TRUE : ANY & ~IS_TRUE;
}

function answerFor(leaf: Leaf, path: string): boolean | undefined {
  const compiled = compileFilter(leaf);
  return compiled.ok ? compiled.evaluate(new Map([[PATH, encodeBytes(path)]])) : undefined;
}

/** Answers a test for a path of which only parts are known. */
function answerFromPieces(leaf: Leaf, path: readonly TextPiece[]): boolean | undefined {
  const test = testOf(leaf);
  if (test === undefined) {
    return undefined;
  }
  const [first, last] = [path[0], path.at(-1)].map((piece) => (piece?.kind === 'text' ? piece.text : ''));
  const [start, end] = [first ?? '', last ?? ''];
  const { operator, values } = test;
  switch (operator) {
    case 'contains':
      return path.some((piece) => piece.kind === 'text' && values.some((value) => piece.text.includes(value)))
        ? true
        : undefined;
    case 'starts_with':
      return values.some((value) => start.startsWith(value))
        ? true
        : values.every((value) => !value.startsWith(start))
          ? false
          : undefined;
    case 'ends_with':
      return values.some((value) => end.endsWith(value))
        ? true
        : values.every((value) => !value.endsWith(end))
          ? false
          : undefined;
    case 'is':
      return values.every((value) => !value.startsWith(start) || !value.endsWith(end)) ? false : undefined;
    default:
      return assertNever(operator);
  }
}

interface PathTest {
  readonly operator: 'contains' | 'starts_with' | 'ends_with' | 'is';
  readonly values: readonly string[];
}

function testOf(leaf: Leaf): PathTest | undefined {
  if (leaf.kind === 'bare') {
    const { source } = leaf.operand;
    const [given, value] = source.kind === 'call' ? source.arguments : [];
    const { name } = source;
    return (name === 'starts_with' || name === 'ends_with') &&
      given?.kind === 'operand' &&
      plainField(given) === PATH &&
      value?.kind === 'bytes'
      ? { operator: name, values: [value.value] }
      : undefined;
  }
  if (leaf.kind !== 'comparison' || plainField(leaf.left) !== PATH) {
    return undefined;
  }
  if (leaf.operator === 'contains') {
    return { operator: 'contains', values: [leaf.right.value] };
  }
  if (leaf.operator === 'eq' && leaf.right.kind === 'bytes') {
    return { operator: 'is', values: [leaf.right.value] };
  }
  return leaf.operator === 'in' && leaf.right.kind === 'set' && leaf.right.of === 'Bytes'
    ? { operator: 'is', values: leaf.right.items.map(({ value }) => value) }
    : undefined;
}

/** Returns the names of the fields that a test reads. */
function fieldsIn(leaf: Leaf): ReadonlySet<string> {
  return new Set(takeInventory('', { mode: 'filter', root: leaf }).fields.map(({ name }) => name));
}
