import { request } from 'undici';
import { headerMap } from '../../model/headers.ts';
import type { ForgeConnection } from '../connection.ts';
import type { Patience } from '../patience.ts';
import { createPatience } from '../patience.ts';
import { RequestFailure } from '../request-failure.ts';
import { through } from '../connection.ts';

/** GitLab's interface. */
export interface GitlabClient {
  readonly patience: Patience;
  /** One request below the base URL. Throws `RequestFailure`. */
  send(method: 'GET' | 'POST' | 'PUT' | 'DELETE', path: string, body?: object): Promise<unknown>;
  /** All pages of a list. */
  pages(path: string): Promise<readonly unknown[]>;
}

const TIMEOUT_MS = 30_000;
/** A list of a thread that is longer than this is not read to its end. */
const MOST_PAGES = 1000;

/** Opens a client of GitLab. Nothing is sent yet. */
export function openGitlab(connection: ForgeConnection): GitlabClient {
  const way = through(connection.proxy);
  const exchange = async (
    method: string,
    path: string,
    body?: object,
  ): Promise<{ readonly value: unknown; readonly next: string }> => {
    const stop = connection.signal === undefined ? [] : [connection.signal];
    let answer: Awaited<ReturnType<typeof request>>;
    let text: string;
    try {
      answer = await request(`${connection.apiUrl}${path}`, {
        ...way,
        method,
        headers: {
          'private-token': connection.token,
          accept: 'application/json',
          'user-agent': 'rulewright',
          ...(body === undefined ? {} : { 'content-type': 'application/json' }),
        },
        body: body === undefined ? null : JSON.stringify(body),
        signal: AbortSignal.any([AbortSignal.timeout(TIMEOUT_MS), ...stop]),
      });
      text = await answer.body.text();
    } catch (error) {
      throw new RequestFailure(error instanceof Error ? error.message : 'no answer', {
        status: null,
        cause: error,
      });
    }
    const { statusCode, headers } = answer;
    if (statusCode >= 300) {
      throw new RequestFailure(`${statusCode} ${text.slice(0, 300)}`, {
        status: statusCode,
        headers: headerMap(headers),
      });
    }
    return {
      value: text === '' ? null : parsed(text, statusCode),
      next: headerMap(headers).get('x-next-page') ?? '',
    };
  };
  return {
    patience: createPatience(connection),
    send: async (method, path, body) => (await exchange(method, path, body)).value,
    pages: async (path) => {
      const all: unknown[] = [];
      let page = '1';
      for (let count = 0; page !== '' && count < MOST_PAGES; count += 1) {
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

function parsed(text: string, status: number): unknown {
  try {
    return JSON.parse(text);
  } catch {
    throw new RequestFailure(`${status}, but the answer is not JSON`, { status: 502 });
  }
}
