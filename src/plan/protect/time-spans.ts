import { takeInventory } from '../../expression/check/take-inventory.ts';
import type { Comparison } from '../../expression/language/ast.ts';
import { parseExpression } from '../../expression/parse/parse.ts';
import { groupBy } from '../../model/group-by.ts';
import { createLimitedMap } from '../../model/limited-map.ts';

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
const MOST_BORDERS = 24;

/** Returns the spans of time that conditions tell apart, in order; a single one if none depends on the time. */
export function timeSpans(conditions: Iterable<string>): readonly TimeSpan[] {
  const borders = new Set<bigint>();
  for (const text of conditions) {
    for (const { first } of testsIn(text)) {
      first.forEach((border) => borders.add(border));
    }
  }
  const sorted = [...borders].sort((a, b) => (a < b ? -1 : 1));
  return sorted.length === 0 || sorted.length > MOST_BORDERS
    ? [ALWAYS]
    : [undefined, ...sorted].map((from, index) => ({ from, until: sorted[index] }));
}

/** Returns the condition that holds during a span: each comparison with the time is replaced by its answer then. */
export function conditionIn({ from, until }: TimeSpan, text: string): string {
  const tests = testsIn(text);
  const second = from ?? (until === undefined ? undefined : until - 1n);
  if (tests.length === 0 || second === undefined) {
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

function moment(second: bigint): string {
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
