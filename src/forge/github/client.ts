import { Octokit } from '@octokit/rest';
import type { RequestInit } from 'undici';
import { fetch } from 'undici';
import type { ForgeConnection } from '../connection.ts';
import { createRetryPolicy } from '../retry-policy.ts';
import type { RetryPolicy } from '../retry-policy.ts';
import { RequestFailure } from '../request-failure.ts';
import { at } from '../shape.ts';
import { through } from '../connection.ts';

/** GitHub's interface: requests by route, answers as they come. */
export interface GithubClient {
  readonly retry: RetryPolicy;
  /** One request. Throws `RequestFailure`. */
  send(route: string, parameters?: Readonly<Record<string, unknown>>): Promise<unknown>;
  /** One query of the GraphQL interface, and throws as `send`. */
  query(text: string): Promise<unknown>;
  /** All pages of a list, and throws as `send`. */
  pages(route: string, parameters?: Readonly<Record<string, unknown>>): Promise<readonly unknown[]>;
}

const TIMEOUT_MS = 30_000;
const SILENT = { debug: ignore, info: ignore, warn: ignore, error: ignore };

/** Opens a client of GitHub, of the enterprise kind as well. Nothing is sent yet. */
export function openGithub(connection: ForgeConnection): GithubClient {
  const { apiUrl, token, signal } = connection;
  const way = through(connection.proxy);
  const octokit = new Octokit({
    auth: token,
    baseUrl: apiUrl,
    userAgent: 'rulewright',
    log: SILENT,
    request: {
      fetch: (url: string, init: RequestInit) =>
        fetch(url, {
          ...init,
          ...way,
          signal: AbortSignal.any([
            AbortSignal.timeout(TIMEOUT_MS),
            ...(signal === undefined ? [] : [signal]),
          ]),
        }),
    },
  });
  const send: GithubClient['send'] = async (route, parameters = {}) => {
    try {
      return (await octokit.request(route, { ...parameters })).data;
    } catch (error) {
      throw failureOf(error);
    }
  };
  return {
    retry: createRetryPolicy(connection),
    send,
    // Of the enterprise kind it stands beside version 3 of the REST interface, not below it.
    query: (text) => send(`POST ${apiUrl.replace(/\/v3$/, '')}/graphql`, { query: text }),
    pages: async (route, parameters = {}) => {
      try {
        return await octokit.paginate(route, { per_page: 100, ...parameters });
      } catch (error) {
        throw failureOf(error);
      }
    },
  };
}

/** An error of the library as one of ours. Without an answer the library says 500. */
function failureOf(error: unknown): RequestFailure {
  const message = error instanceof Error ? error.message.slice(0, 500) : String(error);
  if (at(error, 'response') === undefined) {
    return new RequestFailure(message, { status: null, cause: error });
  }
  const headers = at(error, 'response', 'headers');
  const names = typeof headers === 'object' && headers !== null ? Object.keys(headers) : [];
  const status = at(error, 'status');
  return new RequestFailure(message, {
    status: typeof status === 'number' ? status : null,
    headers: new Map(
      names.flatMap((name): [string, string][] => {
        const value = at(headers, name);
        const known = typeof value === 'string' || typeof value === 'number';
        return known ? [[name.toLowerCase(), `${value}`]] : [];
      }),
    ),
    cause: error,
  });
}

function ignore(): void {
  // The command line says itself what there is to say.
}
