import type { Dispatcher } from 'undici';
import type { Proxy, Clock } from '../network/index.ts';
import { openProxy } from '../network/index.ts';
import { RulewrightError } from '../model/index.ts';
import type { ForgeWriteResult } from './port.ts';
import { counted } from '../text/index.ts';

/** How to reach a forge. */
export interface ForgeConnection {
  readonly apiUrl: string;
  readonly token: string;
  /** The name of the environment variable that holds the token, for hints. */
  readonly tokenName: string;
  readonly clock: Clock;
  /** The proxy for requests; sent directly unless given. */
  readonly proxy?: Proxy | undefined;
  readonly signal?: AbortSignal;
  /** Called before a wait of 5 seconds or more. */
  readonly onWait: (ms: number, reason: string) => void;
}

/** Returns the options that make the HTTP library use the proxy. */
export function through(proxy: Proxy | undefined): { readonly dispatcher?: Dispatcher } {
  return proxy === undefined ? {} : { dispatcher: openProxy(proxy) };
}

/** The error of a request to a forge that did not succeed. */
export class RequestFailure extends Error {
  /** Null when no answer came. */
  readonly status: number | null;
  /** By lower-case name. */
  readonly headers: ReadonlyMap<string, string>;

  constructor(
    message: string,
    facts: {
      readonly status: number | null;
      readonly headers?: ReadonlyMap<string, string>;
      readonly cause?: unknown;
    },
  ) {
    super(message, { cause: facts.cause });
    this.name = 'RequestFailure';
    this.status = facts.status;
    this.headers = facts.headers ?? new Map();
  }
}

/** Retries failed requests to a forge, after the wait that the forge asks for. */
export interface RetryPolicy {
  /** Retries after 5xx, connection errors and rate limits. */
  read<T>(send: () => Promise<T>): Promise<T>;
  /**
   * Retries only after a rate limit refused the request. The result says when the outcome is unknown, and when the object does not exist
   * any more.
   */
  write(send: () => Promise<unknown>): Promise<ForgeWriteResult>;
  /** As `write`, for a request that creates an object. */
  create(send: () => Promise<unknown>): Promise<Exclude<ForgeWriteResult, { readonly kind: 'gone' }>>;
}

/** Only a `read` is sent again when its outcome is unknown. */
type ForgeRequestKind = 'read' | 'write';

/** The part of a connection that the policy needs. */
type ForgeRetryOptions = Pick<ForgeConnection, 'clock' | 'signal' | 'onWait' | 'tokenName'>;

const MAX_ATTEMPTS = 5;
/** GitHub asks to wait at least a minute after a secondary rate limit without `retry-after`. */
const SECONDARY_WAIT_MS = 60_000;
/** The run fails when the forge asks for a longer wait. */
const MAX_WAIT_MS = 15 * 60_000;

/**
 * Creates a policy that waits as long as `retry-after`, `x-ratelimit-reset` or `ratelimit-reset` says; without them the wait doubles with
 * each attempt.
 */
export function createRetryPolicy(options: ForgeRetryOptions): RetryPolicy {
  const attempt = async <T>(send: () => Promise<T>, request: ForgeRequestKind): Promise<T> => {
    for (let number = 1; ; number += 1) {
      try {
        return await send();
      } catch (error) {
        if (!(error instanceof RequestFailure)) {
          throw error;
        }
        const wait = waitAfter(error, { number, request }, options);
        if (wait === null || number === MAX_ATTEMPTS) {
          throw error;
        }
        if (wait > MAX_WAIT_MS) {
          throw waitTooLong(wait, error);
        }
        if (wait >= 5000) {
          options.onWait(wait, error.message);
        }
        await options.clock.sleep(wait, options.signal);
      }
    }
  };
  const explain = (error: unknown): never => {
    throw explained(error, options.tokenName);
  };
  const create: RetryPolicy['create'] = async (send) => {
    try {
      await attempt(send, 'write');
      return { kind: 'done' };
    } catch (error) {
      if (error instanceof RequestFailure && (error.status === null || error.status >= 500)) {
        return { kind: 'unknown', reason: error.message };
      }
      throw error;
    }
  };
  return {
    read: (send) => attempt(send, 'read').catch(explain),
    write: (send) =>
      create(send).catch((error: unknown): ForgeWriteResult =>
        isGone(error) ? { kind: 'gone' } : explain(error),
      ),
    create: (send) => create(send).catch(explain),
  };
}

function isGone(error: unknown): boolean {
  return error instanceof RequestFailure && (error.status === 404 || error.status === 410);
}

/** Returns the milliseconds until the next attempt; null when the request must not be retried. */
function waitAfter(
  failure: RequestFailure,
  { number, request }: { readonly number: number; readonly request: ForgeRequestKind },
  { clock }: ForgeRetryOptions,
): number | null {
  const { status, headers, message } = failure;
  const retryAfter = Number(headers.get('retry-after') ?? Number.NaN) * 1000;
  const isSecondary = /secondary rate limit|abuse detection/i.test(message);
  const isExhausted =
    headers.get('x-ratelimit-remaining') === '0' || headers.get('ratelimit-remaining') === '0';
  if (status === 429 || (status === 403 && (isSecondary || isExhausted || !Number.isNaN(retryAfter)))) {
    if (!Number.isNaN(retryAfter)) {
      return Math.max(retryAfter, 0);
    }
    const reset =
      Number(headers.get('x-ratelimit-reset') ?? headers.get('ratelimit-reset') ?? Number.NaN) * 1000;
    return isExhausted && !Number.isNaN(reset)
      ? Math.max(reset - clock.now(), 0) + 1000
      : SECONDARY_WAIT_MS * 2 ** (number - 1);
  }
  return request === 'read' && (status === null || status >= 500) ? 1000 * 2 ** (number - 1) : null;
}

function waitTooLong(wait: number, cause: unknown): RulewrightError {
  return new RulewrightError(`the forge asks to wait ${counted(Math.ceil(wait / 60_000), 'minute')}`, {
    code: 'forge/rate-limited',
    fault: 'remote',
    hint: 'its request limit is used up; run the job again later, or give it a token of its own',
    cause,
  });
}

/** Returns the error to report when no attempt succeeded, with a hint. */
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

/** Returns the value at a path of untrusted JSON; undefined when there is none. */
export function at(value: unknown, ...path: readonly (string | number)[]): unknown {
  let found: unknown = value;
  for (const key of path) {
    if (typeof found !== 'object' || found === null || !Object.hasOwn(found, key)) {
      return undefined;
    }
    found = Reflect.get(found, key);
  }
  return found;
}

/** Returns the text at a path; null when there is none. */
export function textAt(value: unknown, ...path: readonly (string | number)[]): string | null {
  const found = at(value, ...path);
  return typeof found === 'string' ? found : null;
}

/** Returns the safe integer at a path; null when there is none. */
export function numberAt(value: unknown, ...path: readonly (string | number)[]): number | null {
  const found = at(value, ...path);
  return typeof found === 'number' && Number.isSafeInteger(found) ? found : null;
}

/** Returns the list at a path; an empty one when there is none. */
export function listAt(value: unknown, ...path: readonly (string | number)[]): readonly unknown[] {
  const found = at(value, ...path);
  return Array.isArray(found) ? found : [];
}

/** Reads required members of a forge's answers, and makes the error for a malformed answer. */
export interface AnswerReaders {
  readonly badAnswer: (what: string) => RulewrightError;
  /** Returns the integer member of an entry. Throws `forge/bad-answer` when there is none. */
  readonly numberOf: (entry: unknown, key: string) => number;
}

/** Returns the readers for a forge; `variable` is the environment variable that holds its address, for the hint. */
export function answerReaders(forge: string, variable: string): AnswerReaders {
  const badAnswer = (what: string): RulewrightError =>
    new RulewrightError(`${forge}'s answer cannot be read: ${what}`, {
      code: 'forge/bad-answer',
      fault: 'remote',
      hint: `check ${variable}: something else than ${forge} answered`,
    });
  return {
    badAnswer,
    numberOf: (entry, key) => {
      const number = numberAt(entry, key);
      if (number === null) {
        throw badAnswer(`an entry without ${key}`);
      }
      return number;
    },
  };
}
