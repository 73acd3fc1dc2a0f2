const DATE_RESOLUTION_MS = 1000;

/**
 * How long the service asks us to wait, in milliseconds, or `null` when it does not say: `retry-after`
 * as seconds or a date, else `x-ratelimit-reset` (api.md 1.7). Dates are read against the answer's own
 * `date`, because the two clocks need not agree. Both dates lack the parts of their seconds, so the moment may be
 * up to a second later than their difference says: to come too early would cost a whole window of refusals.
 */
export function askedWait(headers: ReadonlyMap<string, string>, now: number): number | null {
  const after = headers.get('retry-after');
  const here = dateOf(headers.get('date')) ?? now;
  if (after !== undefined && /^\s*[0-9]+(\.[0-9]+)?\s*$/.test(after)) {
    return Math.ceil(Number(after) * 1000);
  }
  const until = dateOf(after) ?? dateOf(headers.get('x-ratelimit-reset'));
  return until === null ? null : Math.max(0, until - here + DATE_RESOLUTION_MS);
}

/**
 * How long everybody waits after each 429 of a request that does not say how long, or says 0. The limit of a second is over after the first,
 * that of quick writes to one ruleset after the second, and that of five minutes, in which all is refused, after the last (api.md 1.7).
 */
const UNNAMED_WAITS_MS = [1000, 20_000, 300_000];

/**
 * How long nobody should send anything after this answer to an attempt (counted from 1): `null` unless it is a 429, or says that no
 * requests are left (`x-ratelimit-remaining`).
 */
export function pauseAfter(
  answer: { readonly status: number; readonly headers: ReadonlyMap<string, string> },
  attempt: number,
  now: number,
): number | null {
  if (answer.status === 429) {
    return askedWait(answer.headers, now) || (UNNAMED_WAITS_MS[attempt - 1] ?? UNNAMED_WAITS_MS.at(-1) ?? 0);
  }
  return answer.headers.get('x-ratelimit-remaining')?.trim() === '0' ? askedWait(answer.headers, now) : null;
}

function dateOf(text: string | undefined): number | null {
  const time = text === undefined ? Number.NaN : Date.parse(text);
  return Number.isNaN(time) ? null : time;
}
