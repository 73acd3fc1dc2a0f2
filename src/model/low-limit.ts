import type { JsonObject } from '../data/index.ts';
import { listOf } from '../data/index.ts';

/** A rate limit so low that it stops everybody whom its rule matches, not only who asks too much. */
export interface LowLimit {
  readonly requests: number;
  readonly period: number;
  /** How long it stops them, in seconds; 0 when only what is beyond the limit is stopped. */
  readonly timeout: number;
  /** Whether all visitors of a data centre share one count. */
  readonly isShared: boolean;
}

/** A page takes more requests than this: its styles, scripts and images are asked for one by one. */
const PAGE = 10;
/** Of each further page, most parts are in the browser's cache. */
const FURTHER_PAGE = 2;
/** An ordinary visitor opens a page a minute, for ten minutes. */
const PAGE_EVERY = 60;
const MOST_PAGES = 10;
/** Who is stopped for an hour or longer, is stopped by the liveliest moment of a visit: two whole pages at once. */
const LONG_TIMEOUT = 3600;
/** The most requests in a second that a count of all visitors together may have, to be called low: one visitor alone asks for more. */
const ONE_A_SECOND = 1;

/** Characteristics that all visitors of a data centre share when they ask for the same host (api.md 3.4). */
const SHARED: ReadonlySet<unknown> = new Set(['cf.colo.id', 'http.host', 'cf.zone.name', 'cf.zone.plan']);
/** Characteristics that tell visitors apart, and nothing that they do. */
const OF_VISITOR =
  /^(?:ip\.(?:src|geoip)(?:\.|$)|cf\.unique_visitor_id$|cf\.bot_management\.ja[34]|http\.user_agent$)/u;

/** Whether all visitors of a data centre who ask for the same host have the same value of a characteristic. */
export function isSharedByVisitors(characteristic: unknown): boolean {
  return SHARED.has(characteristic);
}

/**
 * Returns a limit if it is so low that no ordinary visitor gets along with it, when it counts each of their requests. A limit that counts by the
 * address of a page or by other parts of a request is left out.
 */
export function lowLimit(ratelimit: JsonObject): LowLimit | undefined {
  const { requests_per_period: requests, period, mitigation_timeout: given } = ratelimit;
  const names = listOf(ratelimit['characteristics']);
  const isShared = names.every((name) => SHARED.has(name));
  const isOfVisitor = names.every(
    (name) => SHARED.has(name) || (typeof name === 'string' && OF_VISITOR.test(name)),
  );
  if (typeof requests !== 'number' || typeof period !== 'number' || !isOfVisitor) {
    return undefined;
  }
  const timeout = typeof given === 'number' ? given : 0;
  const isLow =
    requests < leastAsked(ratelimit, { period, timeout }) || (isShared && requests <= period * ONE_A_SECOND);
  return isLow ? { requests, period, timeout, isShared } : undefined;
}

/** Returns how many requests an ordinary visitor makes at least in the busiest period of a visit. */
function leastAsked(
  { requests_to_origin: atOrigin }: JsonObject,
  { period, timeout }: Pick<LowLimit, 'period' | 'timeout'>,
): number {
  // Parts of pages are answered from the cache: only the pages themselves are sure to reach the origin.
  const [page, further] = atOrigin === true ? [1, 1] : [PAGE, FURTHER_PAGE];
  const pages = Math.min(MOST_PAGES, Math.floor(period / PAGE_EVERY));
  return page * (timeout >= LONG_TIMEOUT ? 2 : 1) + further * pages;
}
