import { request } from 'undici';
import { headerMap } from '../../model/headers.ts';
import type { ForgeConnection } from '../connection.ts';
import type { RetryPolicy } from '../retry-policy.ts';
import { createRetryPolicy } from '../retry-policy.ts';
import { RequestFailure } from '../request-failure.ts';
import { through } from '../connection.ts';
import { errorMessage } from '../../model/error.ts';

/** A client of GitLab's API. */
export interface GitlabClient {
  readonly retry: RetryPolicy;
  /** Sends one request, with a path relative to the base URL. Throws `RequestFailure`. */
  send(method: 'GET' | 'POST' | 'PUT' | 'DELETE', path: string, body?: object): Promise<unknown>;
  /** Reads all pages of a list. */
  pages(path: string): Promise<readonly unknown[]>;
}

const TIMEOUT_MS = 30_000;
/** A list with more pages is cut off after these. */
const MAX_PAGES = 1000;

/** Opens a client of GitLab. Nothing is sent yet. */
export function openGitlab(connection: ForgeConnection): GitlabClient {
  const exchange = exchangeOver(connection);
  return {
    retry: createRetryPolicy(connection),
    send: async (method, path, body) => (await exchange(method, path, body)).value,
    pages: async (path) => {
      const all: unknown[] = [];
      let page = '1';
      for (let count = 0; page !== '' && count < MAX_PAGES; count += 1) {
        const { value, next } = await exchange(
          'GET',
          `${path}${path.includes('?') ? '&' : '?'}per_page=100&page=${page}`,
        );
        if (!Array.isArray(value)) {
          throw new RequestFailure('the answer is no list', { status: 502 });
        }
        all.push(...value);
        page = next;
      }
      return all;
    },
  };
}

/** An answer with the number of the next page; "" when there is none. */
interface Answered {
  readonly value: unknown;
  readonly next: string;
}

/**
 * Returns a function that sends one request. The function throws `RequestFailure` when no answer comes, and for an answer that is not a
 * success.
 */
function exchangeOver({
  apiUrl,
  token,
  proxy,
  signal,
}: ForgeConnection): (method: string, path: string, body?: object) => Promise<Answered> {
  const way = through(proxy);
  const stop = signal === undefined ? [] : [signal];
  return async (method, path, body) => {
    const { status, headers, text } = await wholeAnswer(() =>
      request(`${apiUrl}${path}`, {
        ...way,
        method,
        headers: {
          'private-token': token,
          accept: 'application/json',
          'user-agent': 'rulewright',
          ...(body === undefined ? {} : { 'content-type': 'application/json' }),
        },
        body: body === undefined ? null : JSON.stringify(body),
        signal: AbortSignal.any([AbortSignal.timeout(TIMEOUT_MS), ...stop]),
      }),
    );
    if (status >= 300) {
      throw new RequestFailure(`${status} ${text.slice(0, 300)}`, { status, headers });
    }
    return { value: text === '' ? null : parsed(text, status), next: headers.get('x-next-page') ?? '' };
  };
}

async function wholeAnswer(send: () => ReturnType<typeof request>): Promise<{
  readonly status: number;
  readonly headers: ReadonlyMap<string, string>;
  readonly text: string;
}> {
  try {
    const { statusCode, headers, body } = await send();
    return { status: statusCode, headers: headerMap(headers), text: await body.text() };
  } catch (error) {
    throw new RequestFailure(errorMessage(error), {
      status: null,
      cause: error,
    });
  }
}

function parsed(text: string, status: number): unknown {
  try {
    return JSON.parse(text);
  } catch {
    throw new RequestFailure(`${status}, but the answer is not JSON`, { status: 502 });
  }
}
