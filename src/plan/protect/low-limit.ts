import type { JsonObject } from '../../model/json.ts';
import { listOf } from '../../model/json.ts';
import type { RuleContent } from '../../model/rule.ts';
import { isWithin } from './conditions.ts';

/** A rate limit so low that it stops everybody whom its rule matches, not only who asks too much. */
export interface LowLimit {
  readonly requests: number;
  readonly period: number;
  /** How long it stops them, in seconds; 0 when only what is beyond the limit is stopped. */
  readonly timeout: number;
  /** Whether all visitors of a data centre share one count. */
  readonly isShared: boolean;
}

/** A single page with its style, its script and one picture takes more requests than this. */
const LESS_THAN_A_PAGE = 4;
/** The most requests in a second that a count of all visitors together may have, to be called low: one visitor alone asks for more. */
const ONE_A_SECOND = 1;

/** Characteristics that all visitors of a data centre share when they ask for the same host (api.md 3.4). */
const SHARED: ReadonlySet<unknown> = new Set(['cf.colo.id', 'http.host', 'cf.zone.name', 'cf.zone.plan']);
/** Characteristics that tell visitors apart, and nothing that they do. */
const OF_VISITOR =
  /^(?:ip\.src(?:\.|$)|cf\.unique_visitor_id$|cf\.bot_management\.ja[34]|http\.user_agent$)/u;

/**
 * Returns the limit of a rule if it is so low that nobody who meets the condition gets along with it. A limit that counts by address of the page
 * or by other parts of the request is left out, and so is one that counts other requests than it stops.
 */
export function lowLimit({ ratelimit, expression }: RuleContent): LowLimit | undefined {
  if (ratelimit === undefined || !countsAll(ratelimit, expression)) {
    return undefined;
  }
  const { requests_per_period: requests, period, mitigation_timeout: timeout } = ratelimit;
  const names = listOf(ratelimit['characteristics']);
  const isShared = names.every((name) => SHARED.has(name));
  const isOfVisitor = names.every(
    (name) => SHARED.has(name) || (typeof name === 'string' && OF_VISITOR.test(name)),
  );
  if (typeof requests !== 'number' || typeof period !== 'number' || !isOfVisitor) {
    return undefined;
  }
  return requests < LESS_THAN_A_PAGE || (isShared && requests <= period * ONE_A_SECOND)
    ? { requests, period, timeout: typeof timeout === 'number' ? timeout : 0, isShared }
    : undefined;
}

function countsAll({ counting_expression: counting }: JsonObject, expression: string): boolean {
  return typeof counting !== 'string' || counting === '' || isWithin(expression, counting);
}

/** Says how a low limit stops requests, after the action and which requests it is about. */
export function limitText({ requests, period, timeout, isShared }: LowLimit): string {
  const whose = isShared ? 'of all visitors of a data centre together' : 'of a visitor';
  const long = timeout === 0 ? '' : `, for ${duration(timeout)}`;
  return ` beyond ${requests} in ${duration(period)} ${whose}${long}`;
}

const UNITS = [
  ['day', 86_400],
  ['hour', 3600],
  ['minute', 60],
] as const;

function duration(seconds: number): string {
  const [name, length] = UNITS.find(([, unit]) => seconds >= unit && seconds % unit === 0) ?? ['second', 1];
  const count = seconds / length;
  return `${count} ${name}${count === 1 ? '' : 's'}`;
}
