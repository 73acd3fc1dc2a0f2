const DATE_RESOLUTION_MS = 1000;

/**
 * Returns the wait that a response asks for, in milliseconds: `retry-after` in seconds or as a date, else `x-ratelimit-reset` (api.md 1.7);
 * `null` without either. Dates are compared with the `date` of the response, because the two clocks may differ. HTTP dates have no
 * fractions of a second, so one second is added: retrying too early would cost a whole window of refusals.
 */
export function retryAfter(headers: ReadonlyMap<string, string>, now: number): number | null {
  const after = headers.get('retry-after');
  const here = dateOf(headers.get('date')) ?? now;
  if (after !== undefined && /^\s*[0-9]+(\.[0-9]+)?\s*$/.test(after)) {
    return Math.ceil(Number(after) * 1000);
  }
  const until = dateOf(after) ?? dateOf(headers.get('x-ratelimit-reset'));
  return until === null ? null : Math.max(0, until - here + DATE_RESOLUTION_MS);
}

/**
 * Waits after a 429 without a usable `retry-after`, by attempt. They outlast the limit per second, the limit on quick writes to one
 * ruleset, and the limit per five minutes (api.md 1.7).
 */
const FALLBACK_WAITS_MS = [1000, 20_000, 300_000];

/**
 * Returns how long all requests must pause after this response to an attempt (counted from 1), in milliseconds; `null` unless the response
 * is a 429 or has `x-ratelimit-remaining: 0`.
 */
export function pauseAfter(
  response: { readonly status: number; readonly headers: ReadonlyMap<string, string> },
  attempt: number,
  now: number,
): number | null {
  if (response.status === 429) {
    return (
      retryAfter(response.headers, now) || (FALLBACK_WAITS_MS[attempt - 1] ?? FALLBACK_WAITS_MS.at(-1) ?? 0)
    );
  }
  return response.headers.get('x-ratelimit-remaining')?.trim() === '0'
    ? retryAfter(response.headers, now)
    : null;
}

function dateOf(text: string | undefined): number | null {
  const time = text === undefined ? Number.NaN : Date.parse(text);
  return Number.isNaN(time) ? null : time;
}
