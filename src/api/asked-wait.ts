/**
 * How long the service asks us to wait, in milliseconds, or `null` when it does not say: `retry-after`
 * as seconds or a date, else `x-ratelimit-reset` (api.md 1.7). Dates are read against the answer's own
 * `date`, because the two clocks need not agree.
 */
export function askedWait(headers: ReadonlyMap<string, string>, now: number): number | null {
  const after = headers.get('retry-after');
  const here = dateOf(headers.get('date')) ?? now;
  if (after !== undefined && /^\s*[0-9]+(\.[0-9]+)?\s*$/.test(after)) {
    return Math.ceil(Number(after) * 1000);
  }
  const until = dateOf(after) ?? dateOf(headers.get('x-ratelimit-reset'));
  return until === null ? null : Math.max(0, until - here);
}

/** How long everybody waits after a 429 that does not say how long, or says 0. */
const UNNAMED_WAIT_MS = 1000;

/**
 * How long nobody should send anything after this answer: `null` unless it is a 429, or says that no
 * requests are left (`x-ratelimit-remaining`).
 */
export function pauseAfter(
  answer: { readonly status: number; readonly headers: ReadonlyMap<string, string> },
  now: number,
): number | null {
  if (answer.status === 429) {
    return askedWait(answer.headers, now) || UNNAMED_WAIT_MS;
  }
  return answer.headers.get('x-ratelimit-remaining')?.trim() === '0' ? askedWait(answer.headers, now) : null;
}

function dateOf(text: string | undefined): number | null {
  const time = text === undefined ? Number.NaN : Date.parse(text);
  return Number.isNaN(time) ? null : time;
}
