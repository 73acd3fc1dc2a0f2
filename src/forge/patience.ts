import { RulewrightError } from '../model/error.ts';
import type { ForgeConnection } from './connection.ts';
import type { Written } from './port.ts';
import { RequestFailure } from './request-failure.ts';

/** How requests to a forge wait and are repeated. */
export interface Patience {
  /** Sends a read again after 5xx, broken connections and limits. */
  read<T>(send: () => Promise<T>): Promise<T>;
  /** Sends a write again only when a limit refused it; says when its outcome is not known, and when its object is gone. */
  write(send: () => Promise<unknown>): Promise<Written>;
  /** The same for a write that makes something: there is no object that could be gone. */
  make(send: () => Promise<unknown>): Promise<Exclude<Written, { readonly kind: 'gone' }>>;
}

/** What patience needs to know of the way to a forge. */
type PatienceOptions = Pick<ForgeConnection, 'clock' | 'signal' | 'onWait' | 'tokenName'>;

const MOST_ATTEMPTS = 5;
/** The secondary limit of GitHub without `retry-after` asks for a minute at least. */
const SECONDARY_WAIT_MS = 60_000;
/** A job that waits longer than this had better fail. */
const LONGEST_WAIT_MS = 15 * 60_000;

/** Waits as forges ask for: `retry-after`, `x-ratelimit-reset`, `ratelimit-reset`; else twice as long each time. */
export function createPatience(options: PatienceOptions): Patience {
  const attempt = async <T>(send: () => Promise<T>, repeatable: boolean): Promise<T> => {
    for (let number = 1; ; number += 1) {
      try {
        return await send();
      } catch (error) {
        const wait =
          error instanceof RequestFailure ? waitAfter(error, { number, repeatable }, options) : null;
        if (wait === null || number === MOST_ATTEMPTS) {
          throw error;
        }
        if (wait > LONGEST_WAIT_MS) {
          throw tooLong(wait, error);
        }
        if (wait >= 5000) {
          options.onWait(wait, error instanceof Error ? error.message : '');
        }
        await options.clock.sleep(wait, options.signal);
      }
    }
  };
  const explain = (error: unknown): never => {
    throw explained(error, options.tokenName);
  };
  const make: Patience['make'] = async (send) => {
    try {
      await attempt(send, false);
      return { kind: 'done' };
    } catch (error) {
      if (error instanceof RequestFailure && (error.status === null || error.status >= 500)) {
        return { kind: 'unknown', reason: error.message };
      }
      throw error;
    }
  };
  return {
    read: (send) => attempt(send, true).catch(explain),
    write: (send) =>
      make(send).catch((error: unknown): Written => (isGone(error) ? { kind: 'gone' } : explain(error))),
    make: (send) => make(send).catch(explain),
  };
}

function isGone(error: unknown): boolean {
  return error instanceof RequestFailure && (error.status === 404 || error.status === 410);
}

/** How long to wait before the request is sent again; null when it is not. */
function waitAfter(
  failure: RequestFailure,
  { number, repeatable }: { readonly number: number; readonly repeatable: boolean },
  { clock }: PatienceOptions,
): number | null {
  const { status, headers, message } = failure;
  const asked = Number(headers.get('retry-after') ?? Number.NaN) * 1000;
  const secondary = /secondary rate limit|abuse detection/i.test(message);
  const spent = headers.get('x-ratelimit-remaining') === '0' || headers.get('ratelimit-remaining') === '0';
  if (status === 429 || (status === 403 && (secondary || spent || !Number.isNaN(asked)))) {
    if (!Number.isNaN(asked)) {
      return Math.max(asked, 0);
    }
    const reset =
      Number(headers.get('x-ratelimit-reset') ?? headers.get('ratelimit-reset') ?? Number.NaN) * 1000;
    return spent && !Number.isNaN(reset)
      ? Math.max(reset - clock.now(), 0) + 1000
      : SECONDARY_WAIT_MS * 2 ** (number - 1);
  }
  return repeatable && (status === null || status >= 500) ? 1000 * 2 ** (number - 1) : null;
}

function tooLong(wait: number, cause: unknown): RulewrightError {
  return new RulewrightError(`the forge asks to wait ${Math.ceil(wait / 60_000)} minutes`, {
    code: 'forge/rate-limited',
    fault: 'remote',
    hint: 'its request limit is used up; run the job again later, or give it a token of its own',
    cause,
  });
}

/** A failure that stays, with what can be done about it. */
function explained(error: unknown, tokenName: string): unknown {
  if (!(error instanceof RequestFailure)) {
    return error;
  }
  const { status, message } = error;
  const hints: ReadonlyMap<number | null, string> = new Map([
    [401, `the token in ${tokenName} is not valid`],
    [
      403,
      `the token in ${tokenName} is not allowed to do this; on GitHub: permissions: pull-requests: write, issues: write`,
    ],
    [404, `there is none, or the token in ${tokenName} cannot see it`],
    [null, 'check the address of its interface, and the network'],
  ]);
  const hint = hints.get(status);
  return new RulewrightError(
    status === null ? `the forge could not be reached: ${message}` : `the forge answered: ${message}`,
    {
      code: status === null ? 'forge/unreachable' : `forge/http-${status}`,
      fault: 'remote',
      hint,
      cause: error,
    },
  );
}
