import { parseExpression, valueToJson } from '../expression/index.ts';
import type { Values } from '../expression/index.ts';
import { textOf, textsIn } from '../data/index.ts';
import { compileKnownValue, UNKNOWN_TEXT } from '../simulate/index.ts';
import type { Evaluation, PreparedRule } from '../simulate/index.ts';
import type { TrafficRecord } from './record.ts';

/** Counts the requests of one rate limit. */
export interface RateCounter {
  /**
   * Counts a request that meets the rule's condition, once however often it is asked, and says whether the rule acts on it; undefined where that
   * is not known. Requests have to come in the order of their times, but for those of one period.
   */
  readonly exceeds: (record: TrafficRecord, values: Values) => boolean | undefined;
  /** Whether it was asked about a request. */
  readonly asked: (record: TrafficRecord) => boolean;
  /** Returns what was said of a request; undefined also where nobody asked. */
  readonly said: (record: TrafficRecord) => boolean | undefined;
}

/** The most counters that one rule has at a time: beyond, nothing is known of new ones. */
const MOST_KEYS = 200_000;

/** How many requests of one value of the characteristics came, in a period and in the one before. */
interface Counter {
  period: number;
  current: number;
  previous: number;
  /** Until when the rule acts on all that meet it. */
  until: number;
}

/**
 * Returns a counter for a rule. As at the service, the rate is that of a sliding window, approximated by two periods. Not known is what a log does
 * not tell: what reaches the origin, scores of answers, conditions for counting alone, and anything in a sample.
 */
export function rateCounter(
  { rule: { content }, limit }: PreparedRule,
  { evaluation, sampled }: { readonly evaluation: Evaluation; readonly sampled: boolean },
): RateCounter {
  const { ratelimit = {}, expression } = content;
  const {
    period,
    mitigation_timeout: timeout,
    requests_to_origin: toOrigin,
    requests_per_period: requests,
  } = ratelimit;
  const counting = textOf(ratelimit['counting_expression']);
  const seconds = typeof period === 'number' ? period : 0;
  const isCounted =
    !sampled &&
    limit !== undefined &&
    typeof requests === 'number' &&
    seconds > 0 &&
    toOrigin !== true &&
    (counting === '' || counting === expression);
  if (!isCounted) {
    return { exceeds: () => undefined, asked: () => true, said: () => undefined };
  }
  const keyOf = keyReader(textsIn(ratelimit['characteristics']), evaluation);
  const mitigation = (typeof timeout === 'number' ? timeout : 0) * 1000;
  const counters = new Map<string, Counter>();
  let lastRecord: TrafficRecord | undefined;
  let last: boolean | undefined;
  const count = (record: TrafficRecord, values: Values): boolean | undefined => {
    const key = record.time === null ? undefined : keyOf(record, values);
    const counter = key === undefined ? undefined : counterOf(counters, key);
    return counter === undefined || record.time === null
      ? undefined
      : isExceeded(counter, record.time, { length: seconds * 1000, limit, mitigation });
  };
  return {
    exceeds: (record, values) => {
      if (record !== lastRecord) {
        lastRecord = record;
        last = count(record, values);
      }
      return last;
    },
    asked: (record) => record === lastRecord,
    said: (record) => (record === lastRecord ? last : undefined),
  };
}

function counterOf(counters: Map<string, Counter>, key: string): Counter | undefined {
  const known = counters.get(key);
  if (known !== undefined || counters.size >= MOST_KEYS) {
    return known;
  }
  const made = { period: -1, current: 0, previous: 0, until: 0 };
  counters.set(key, made);
  return made;
}

function isExceeded(
  counter: Counter,
  time: number,
  {
    length,
    limit,
    mitigation,
  }: { readonly length: number; readonly limit: number; readonly mitigation: number },
): boolean | undefined {
  const period = Math.floor(time / length);
  if (period < counter.period) {
    return undefined;
  }
  if (period > counter.period) {
    counter.previous = period === counter.period + 1 ? counter.current : 0;
    counter.current = 0;
    counter.period = period;
  }
  counter.current += 1;
  const rate = counter.previous * (1 - (time % length) / length) + counter.current;
  if (rate > limit) {
    counter.until = Math.max(counter.until, time + mitigation);
    return true;
  }
  return time < counter.until;
}

/**
 * Returns a function that gives the value by which all these rate limits count apart: requests of one value never share a counter with those of
 * another. Where they have no characteristic in common it is the same for all.
 */
export function commonKeyReader(
  limits: readonly PreparedRule[],
  evaluation: Evaluation,
): (record: TrafficRecord, values: Values) => string {
  const [first = [], ...others] = limits.map(({ rule: { content } }) =>
    textsIn(content.ratelimit?.['characteristics']),
  );
  const common = first.filter((name) => others.every((names) => names.includes(name)));
  const keyOf = keyReader(common, evaluation);
  // A request of which one of them is not known is counted by no limit.
  return (record, values) => keyOf(record, values) ?? '';
}

/** Returns a function that gives the value by which requests are counted; undefined where a characteristic is not known. */
function keyReader(
  characteristics: readonly string[],
  evaluation: Evaluation,
): (record: TrafficRecord, values: Values) => string | undefined {
  const parts = characteristics.map((name) => (name === 'cf.colo.id' ? ofColo : ofField(name, evaluation)));
  return (record, values) => {
    let key = '';
    for (const part of parts) {
      const value = part(record, values);
      if (value === undefined) {
        return undefined;
      }
      key += `${value}\n`;
    }
    return key;
  };
}

type KeyPart = (record: TrafficRecord, values: Values) => string | undefined;

const ofColo: KeyPart = ({ colo }) => (colo === '' ? undefined : colo);

function ofField(name: string, evaluation: Evaluation): KeyPart {
  if (name === 'ip.src') {
    return ({ address }) => (address === '' ? undefined : address);
  }
  const parsed = parseExpression(name, { mode: 'value' });
  const compiled =
    parsed.ok && parsed.tree.mode === 'value'
      ? compileKnownValue(name, parsed.tree.root, evaluation)
      : undefined;
  return compiled?.ok === true
    ? (_, values) => {
        const value = compiled.evaluate(values);
        return typeof value === 'string' && value.startsWith(UNKNOWN_TEXT)
          ? undefined
          : JSON.stringify(valueToJson(value));
      }
    : () => undefined;
}
