import type { Tree, Comparison, Demand } from '../../expression/index.ts';
import {
  excludes,
  implies,
  demandApart,
  demandsOf,
  firstDemand,
  withOpaque,
  parseExpression,
  takeInventory,
} from '../../expression/index.ts';
import { createLimitedMap, groupBy } from '../../data/index.ts';
import { hasReference } from '../../model/index.ts';

/** The most conditions kept in a cache: reversing a list of a thousand rules asks for each of its conditions a thousand times. */
const MOST = 4096;

/** A condition with its first demand, which nearly always suffices to tell that two conditions exclude each other. */
export interface KnownCondition {
  readonly text: string;
  /** What the condition demands first: at most one demand; empty when it cannot be told without parsing. */
  readonly first: readonly Demand[];
}

/** Caches. Demands are small and trees large, so a tree is kept only if it is likely to be asked for again. */
const demands = createLimitedMap<readonly Demand[] | 'no condition'>(MOST);
const trees = createLimitedMap<Tree | 'no condition'>(MOST);

/** Returns the tree of a condition for proofs, cached, or undefined when it does not parse. Sensitive values in it are opaque to proofs. */
export function treeOf(text: string): Tree | undefined {
  const tree = trees.get(text) ?? trees.keep(text, parse(text));
  return tree === 'no condition' ? undefined : tree;
}

/** Whether provably no request meets both conditions; false when one does not parse. */
export function areApart(one: KnownCondition, other: KnownCondition): boolean {
  if (arePlainlyApart(one, other)) {
    return true;
  }
  const left = treeOf(one.text);
  const right = treeOf(other.text);
  return left !== undefined && right !== undefined && excludes(left, right);
}

/** Whether the demands of two conditions already tell that no request meets both; costs next to nothing. */
export function arePlainlyApart(one: KnownCondition, other: KnownCondition): boolean {
  if (demandApart(one.first, other.first)) {
    return true;
  }
  const [own, its] = [demandsIn(one.text), demandsIn(other.text)];
  return own !== 'no condition' && its !== 'no condition' && demandApart(own, its);
}

/** Whether provably every request that meets one condition meets the other. */
export function isWithin(one: string, other: string): boolean {
  const left = treeOf(one);
  const right = treeOf(other);
  return left !== undefined && right !== undefined && implies(left, right);
}

/** A limited number of proofs about the conditions of one ruleset, since pairs of rules grow quadratically. */
export interface Proofs {
  /** Like the function of this name, but false once no proofs are left. */
  readonly areApart: typeof areApart;
  /** Like the function of this name, but false once no proofs are left. */
  readonly isWithin: typeof isWithin;
}

/** The most proofs for one ruleset; a hard one takes a third of a millisecond. */
const MOST_PROOFS = 10_000;

/** Creates the proofs for a ruleset. Comparisons decided by demands alone do not count. */
export function createProofs(): Proofs {
  let left = MOST_PROOFS;
  const mayProve = (): boolean => {
    left -= 1;
    return left >= 0;
  };
  return {
    areApart: (one, other) => arePlainlyApart(one, other) || (mayProve() && areApart(one, other)),
    isWithin: (one, other) => mayProve() && isWithin(one, other),
  };
}

export function conditionOf(text: string): KnownCondition {
  const first = firstDemand(text);
  const isKnown = first !== undefined && !first.values.some(hasReference);
  return { text, first: isKnown ? [first] : [] };
}

function demandsIn(text: string): readonly Demand[] | 'no condition' {
  const before = demands.get(text);
  if (before !== undefined) {
    return before;
  }
  const tree = parse(text);
  const found = tree === 'no condition' ? tree : demandsOf(tree);
  if (found !== 'no condition' && found.length === 0) {
    // Without demands the tree will be asked for next.
    trees.keep(text, tree);
  }
  return demands.keep(text, found);
}

function parse(text: string): Tree | 'no condition' {
  const result = parseExpression(text);
  if (!result.ok || result.tree.mode !== 'filter') {
    return 'no condition';
  }
  return hasReference(text) ? withOpaque(result.tree, hasReference) : result.tree;
}

/**
 * A span of time, in seconds since 1970, in which no condition changes its answer because of the time. A plan has no clock: it judges every
 * span, what lies behind us as what is to come.
 */
export interface TimeSpan {
  /** Its first second; undefined for the first span. */
  readonly from: bigint | undefined;
  /** The second after its last; undefined for the last span. */
  readonly until: bigint | undefined;
}

/** All time, for conditions that do not depend on it. */
const ALWAYS: TimeSpan = { from: undefined, until: undefined };

const FIELD = 'http.request.timestamp.sec';

/** The most borders that are looked at; with more, nothing is proven of the time. */
const MOST_BORDERS = 256;

/**
 * Returns the spans of time that conditions tell apart, in order; a single one if none depends on the time. Of very many, only the first are told apart
 * in which the comparisons with the time have some answers: what the conditions do in one of them, they do in all that have these answers.
 */
export function timeSpans(conditions: Iterable<string>): readonly TimeSpan[] {
  const borders = bordersOf([...conditions].flatMap(testsIn));
  return borders.size > MOST_BORDERS ? [ALWAYS] : spansBetween(borders);
}

/** The most times that a phase is tried with the borders of other conditions. */
const MOST_TRIALS = 8;

/**
 * Returns spans of time in which what conditions do can be tried, and nothing proven: those that the first conditions tell apart, as many as there is
 * room for, then those that the next do.
 */
export function trialSpans(conditions: Iterable<string>): readonly (readonly TimeSpan[])[] {
  const trials: Set<bigint>[] = [new Set()];
  for (const text of conditions) {
    const own = bordersOf(testsIn(text));
    const last = trials.at(-1) ?? new Set();
    const more = new Set([...last, ...own]);
    if (more.size <= MOST_BORDERS) {
      trials[trials.length - 1] = more;
    } else if (own.size <= MOST_BORDERS && trials.length < MOST_TRIALS) {
      trials.push(own);
    }
  }
  return trials.map(spansBetween);
}

/** Returns the seconds at which the answers of comparisons change; of very many, those around the first span with each combination of answers. */
function bordersOf(tests: readonly TimeTest[]): Set<bigint> {
  const borders = new Set(tests.flatMap(({ first }) => first));
  if (borders.size <= MOST_BORDERS) {
    return borders;
  }
  const seen = new Set<string>();
  const kept = new Set<bigint>();
  for (const { from, until } of spansBetween(borders)) {
    const second = from ?? (until ?? 0n) - 1n;
    const answers = tests.map(({ answer }) => (answer(second) ? '1' : '0')).join('');
    if (!seen.has(answers)) {
      seen.add(answers);
      [from, until].forEach((border) => border !== undefined && kept.add(border));
    }
    if (kept.size > MOST_BORDERS) {
      return borders;
    }
  }
  return kept;
}

function spansBetween(borders: ReadonlySet<bigint>): readonly TimeSpan[] {
  const sorted = [...borders].sort((a, b) => (a < b ? -1 : 1));
  return sorted.length === 0
    ? [ALWAYS]
    : [undefined, ...sorted].map((from, index) => ({ from, until: sorted[index] }));
}

/** Returns the condition that holds during a span: each comparison with the time is replaced by its answer then. */
export function conditionIn({ from, until }: TimeSpan, text: string): string {
  const second = from ?? (until === undefined ? undefined : until - 1n);
  return second === undefined ? text : answered(text, second, testsIn(text));
}

/** Returns the condition that holds from a second on: each comparison with the time that gives the same answer ever after is replaced by that. */
export function conditionFrom(second: bigint, text: string): string {
  const settled = testsIn(text).filter(({ first }) => first.every((border) => border <= second));
  return answered(text, second, settled);
}

function answered(text: string, second: bigint, tests: readonly TimeTest[]): string {
  if (tests.length === 0) {
    return text;
  }
  const bytes = Buffer.from(text, 'utf8');
  let [result, end] = ['', 0];
  for (const { comparison, answer } of tests) {
    const { span } = comparison;
    result += `${bytes.toString('utf8', end, span.start)}${answer(second)}`;
    ({ end } = span);
  }
  return result + bytes.toString('utf8', end);
}

/** Says when something holds that holds in some of all spans, as ` from … until …`; an empty text if it always does. */
export function whenText(holds: readonly TimeSpan[], all: readonly TimeSpan[]): string {
  if (holds.length === all.length) {
    return '';
  }
  const joined: TimeSpan[] = [];
  for (const span of holds) {
    const last = joined.at(-1);
    if (last !== undefined && last.until === span.from) {
      joined[joined.length - 1] = { from: last.from, until: span.until };
    } else {
      joined.push(span);
    }
  }
  const says = joined.map(({ from, until }) =>
    [
      ...(from === undefined ? [] : [`from ${moment(from)}`]),
      ...(until === undefined ? [] : [`until ${moment(until)}`]),
    ].join(' '),
  );
  return ` ${says.join(' and ')}`;
}

/** Joins what holds in spans of time, with when it does; undefined if nothing does. `clauseIn` gets the conditions as they are then. */
export function clauseOverTime(
  conditions: readonly string[],
  clauseIn: (conditionThen: (text: string) => string) => string | undefined,
): string | undefined {
  const spans = timeSpans(conditions);
  const found = groupBy(spans, (span) => clauseIn((text) => conditionIn(span, text)));
  const clauses = [...found].flatMap(([clause, when]) =>
    clause === undefined ? [] : [`${clause}${whenText(when, spans)}`],
  );
  return clauses.length === 0 ? undefined : clauses.join('; ');
}

/** The last second that has a date (ECMAScript). */
const LAST = 8_640_000_000_000n;

/** Says an instant, in UTC: `2026-12-24 18:00 UTC`. */
export function moment(second: bigint): string {
  if (second < 0n || second > LAST) {
    return `second ${second}`;
  }
  const text = new Date(Number(second) * 1000).toISOString();
  return `${text.slice(0, -8).replace('T', ' ')}${second % 60n === 0n ? '' : text.slice(-8, -5)} UTC`;
}

/** A comparison with the time, the seconds at which its answer may change, and its answer. */
interface TimeTest {
  readonly comparison: Comparison;
  readonly first: readonly bigint[];
  readonly answer: (second: bigint) => boolean;
}

const NONE: readonly TimeTest[] = [];
const known = createLimitedMap<readonly TimeTest[]>(1024);

/** Returns the comparisons with the time in a condition, in order. */
function testsIn(text: string): readonly TimeTest[] {
  return text.includes(FIELD) ? (known.get(text) ?? known.keep(text, read(text))) : NONE;
}

function read(text: string): readonly TimeTest[] {
  const parsed = parseExpression(text);
  if (!parsed.ok || parsed.tree.mode !== 'filter') {
    return NONE;
  }
  return takeInventory(text, parsed.tree)
    .comparisons.flatMap((comparison) => timeTest(comparison) ?? [])
    .sort((a, b) => a.comparison.span.start - b.comparison.span.start);
}

function timeTest(comparison: Comparison): TimeTest | undefined {
  const { left, operator, right } = comparison;
  if (left.source.kind !== 'field' || left.source.name !== FIELD || left.indexes.length > 0) {
    return undefined;
  }
  if (operator === 'in' && right.kind === 'set' && right.of === 'Int') {
    return {
      comparison,
      first: right.items.flatMap(({ first, last }) => [first, last + 1n]),
      answer: (second) => right.items.some(({ first, last }) => first <= second && second <= last),
    };
  }
  if (right.kind !== 'int') {
    return undefined;
  }
  const { value } = right;
  switch (operator) {
    case 'lt':
      return { comparison, first: [value], answer: (second) => second < value };
    case 'ge':
      return { comparison, first: [value], answer: (second) => second >= value };
    case 'le':
      return { comparison, first: [value + 1n], answer: (second) => second <= value };
    case 'gt':
      return { comparison, first: [value + 1n], answer: (second) => second > value };
    case 'eq':
      return { comparison, first: [value, value + 1n], answer: (second) => second === value };
    case 'ne':
      return { comparison, first: [value, value + 1n], answer: (second) => second !== value };
    default:
      return undefined;
  }
}
