import { fetch } from 'undici';
import { RulewrightError } from '../model/error.ts';
import type { Proxy } from '../model/proxy.ts';
import type { Clock } from '../network/clock.ts';
import { through } from './connection.ts';

const TIMEOUT_MS = 15_000;
const MAX_ATTEMPTS = 4;

/**
 * Sends a notification, and repeats it after 429, 5xx or no answer: a duplicate is better than none. The address is a secret and appears in
 * no error. Throws `webhook/failed`.
 */
export async function sendWebhook(
  url: string,
  body: string,
  { clock, proxy }: { readonly clock: Clock; readonly proxy?: Proxy | undefined },
): Promise<void> {
  const way = through(proxy);
  let status = await post(url, body, way);
  for (let attempt = 1; attempt < MAX_ATTEMPTS && isPassing(status); attempt += 1) {
    await clock.sleep(1000 * 2 ** attempt);
    status = await post(url, body, way);
  }
  if (status === null || status < 200 || status > 299) {
    throw new RulewrightError(`the webhook did not accept the message: ${status ?? 'no answer'}`, {
      code: 'webhook/failed',
      fault: 'remote',
      hint: 'check the address in RULEWRIGHT_WEBHOOK_URL; the issue is up to date, and the next run tries again',
    });
  }
}

function isPassing(status: number | null): boolean {
  return status === null || status === 429 || status >= 500;
}

/** Returns the status of the answer; null when none came. */
async function post(url: string, body: string, way: ReturnType<typeof through>): Promise<number | null> {
  try {
    const response = await fetch(url, {
      ...way,
      method: 'POST',
      headers: { 'content-type': 'application/json', 'user-agent': 'rulewright' },
      body,
      redirect: 'error',
      signal: AbortSignal.timeout(TIMEOUT_MS),
    });
    // The body is not needed, and left unread it would hold its connection.
    await response.body?.cancel();
    return response.status;
  } catch {
    return null;
  }
}
