import type { Condition, Operand } from '../language/ast.ts';
import { membershipOf } from '../equal/normal-meaning.ts';
import { literalOfPattern } from '../regex/compile-regex.ts';
import { lowerAscii, upperAscii } from '../values/bytes.ts';
import type { WildcardCase } from '../values/wildcard.ts';
import { compileWildcard, parseWildcard } from '../values/wildcard.ts';

/**
 * A test of one string as a set of patterns, of which the string must fit one. `eq`, `in`, `contains`, `starts_with`, `ends_with`,
 * `wildcard` and `strict wildcard` are such tests. A missing string fits none.
 */
export interface PatternTest {
  /** The tested operand, without `lower` and `upper` around it. */
  readonly operand: Operand;
  readonly patterns: readonly TextPattern[];
}

/** Literal runs with any bytes between them, compared with or without case. */
export interface TextPattern {
  readonly runs: readonly string[];
  readonly letters: WildcardCase;
}

/** The pattern that every string fits. */
export const ANY_TEXT: TextPattern = { runs: ['', ''], letters: 'exact' };

/** Returns a condition as a test of one string; undefined when it is none. */
function textTestOf(condition: Condition): PatternTest | undefined {
  const test = writtenTest(condition);
  return test === undefined ? undefined : withoutCaseCalls(test);
}

/** As `textTestOf`, also for a regular expression that is a literal with or without anchors. */
export function stringTestOf(condition: Condition): PatternTest | undefined {
  if (condition.kind !== 'comparison' || condition.operator !== 'matches' || condition.elementwise) {
    return textTestOf(condition);
  }
  const { pattern } = condition.right;
  const known = regexTests.get(condition) ?? { test: regexTestOf(condition.left, pattern) };
  regexTests.set(condition, known);
  return known.test;
}

/** Reading a regular expression is the most expensive step here. */
const regexTests = new WeakMap<Condition, { readonly test: PatternTest | undefined }>();

function regexTestOf(operand: Operand, pattern: string): PatternTest | undefined {
  const literal = literalOfPattern(pattern);
  if (literal === undefined) {
    return undefined;
  }
  const { text, fromStart, toEnd } = literal;
  const runs = [...(fromStart ? [] : ['']), text, ...(toEnd ? [] : [''])];
  return withoutCaseCalls({ operand, patterns: [exact(runs)] });
}

function writtenTest(condition: Condition): PatternTest | undefined {
  if (condition.kind === 'bare') {
    return condition.elementwise ? undefined : startOrEnd(condition.operand);
  }
  if (condition.kind !== 'comparison' || condition.elementwise) {
    return undefined;
  }
  const { operator, left: operand, right } = condition;
  if (operator === 'contains') {
    return { operand, patterns: [exact(['', right.value, ''])] };
  }
  if (operator === 'wildcard' || operator === 'strict wildcard') {
    const parsed = parseWildcard(right.pattern);
    const letters = operator === 'wildcard' ? 'fold' : 'exact';
    return parsed.ok ? { operand, patterns: [{ runs: parsed.pattern.runs, letters }] } : undefined;
  }
  const members = membershipOf(condition)?.members;
  return members?.of === 'Bytes'
    ? { operand, patterns: members.values.map((value) => exact([value])) }
    : undefined;
}

function startOrEnd({ source, indexes }: Operand): PatternTest | undefined {
  if (source.kind !== 'call' || indexes.length > 0) {
    return undefined;
  }
  const [operand, part] = source.arguments;
  if (operand?.kind !== 'operand' || part?.kind !== 'bytes') {
    return undefined;
  }
  switch (source.name) {
    case 'starts_with':
      return { operand, patterns: [exact([part.value, ''])] };
    case 'ends_with':
      return { operand, patterns: [exact(['', part.value])] };
    default:
      return undefined;
  }
}

function exact(runs: readonly string[]): TextPattern {
  return { runs, letters: 'exact' };
}

/** Removes `lower` and `upper` from the operand: `lower(x) eq "a"` tests x without case, and nothing satisfies `lower(x) eq "A"`. */
function withoutCaseCalls({ operand, patterns }: PatternTest): PatternTest {
  const { source, indexes } = operand;
  const given = source.kind === 'call' && indexes.length === 0 ? source.arguments[0] : undefined;
  const change = source.kind === 'call' ? { lower: lowerAscii, upper: upperAscii }[source.name] : undefined;
  if (given?.kind !== 'operand' || change === undefined) {
    return { operand, patterns };
  }
  const folded = patterns
    .filter(({ runs, letters }) => letters === 'fold' || runs.every((run) => change(run) === run))
    .map(({ runs }): TextPattern => ({ runs, letters: 'fold' }));
  return withoutCaseCalls({ operand: given, patterns: folded });
}

/** Whether every text that fits one of `some` provably fits one of `others`. */
export function fitWithin(some: readonly TextPattern[], others: readonly TextPattern[]): boolean {
  return isFewPairs(some, others) && some.every((one) => others.some((other) => isWithin(one, other)));
}

/** Whether provably no text fits one of `some` and one of `others`. */
export function fitApart(some: readonly TextPattern[], others: readonly TextPattern[]): boolean {
  return isFewPairs(some, others) && some.every((one) => others.every((other) => isApart(one, other)));
}

/** Whether the lists are short enough to compare every pair. */
function isFewPairs(some: readonly TextPattern[], others: readonly TextPattern[]): boolean {
  return some.length * others.length <= 10_000;
}

/** Stands for what a star covers: it is not a byte, so that only a star of another pattern can cover it. */
const COVERED = '\u{100}';

function isWithin(one: TextPattern, other: TextPattern): boolean {
  const isCaseKept = one.letters === 'exact' || other.runs.every((run) => !hasLetters(run));
  return (other.letters === 'fold' || isCaseKept) && fits(one.runs.join(COVERED), other, other.letters);
}

function isApart(one: TextPattern, other: TextPattern): boolean {
  const letters = one.letters === 'fold' || other.letters === 'fold' ? 'fold' : 'exact';
  const [text, another] = [literalOf(one), literalOf(other)];
  if (text !== undefined) {
    return !fits(text, other, letters);
  }
  if (another !== undefined) {
    return !fits(another, one, letters);
  }
  const cased = (run = ''): string => (letters === 'fold' ? lowerAscii(run) : run);
  const [start, otherStart] = [cased(one.runs[0]), cased(other.runs[0])];
  const [end, otherEnd] = [cased(one.runs.at(-1)), cased(other.runs.at(-1))];
  return (
    !(start.startsWith(otherStart) || otherStart.startsWith(start)) ||
    !(end.endsWith(otherEnd) || otherEnd.endsWith(end))
  );
}

/** Returns the only string that fits, up to case; undefined where there are others. */
function literalOf({ runs }: TextPattern): string | undefined {
  return runs.length === 1 ? runs[0] : undefined;
}

function fits(text: string, { runs }: TextPattern, letters: WildcardCase): boolean {
  return compileWildcard({ runs }, letters)(text);
}

function hasLetters(run: string): boolean {
  return /[a-z]/iu.test(run);
}
