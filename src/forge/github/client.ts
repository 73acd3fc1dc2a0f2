import { Octokit } from '@octokit/rest';
import type { RequestInit } from 'undici';
import { fetch } from 'undici';
import type { ForgeConnection } from '../connection.ts';
import { createRetryPolicy } from '../retry-policy.ts';
import type { RetryPolicy } from '../retry-policy.ts';
import { RequestFailure } from '../request-failure.ts';
import { at } from '../shape.ts';
import { through } from '../connection.ts';

/** A client of GitHub's API: requests by route, answers as they come. */
export interface GithubClient {
  readonly retry: RetryPolicy;
  /** Sends one request. Throws `RequestFailure`. */
  send(route: string, parameters?: Readonly<Record<string, unknown>>): Promise<unknown>;
  /** Sends one query to the GraphQL API. Throws as `send` does. */
  query(text: string): Promise<unknown>;
  /** Reads all pages of a list. Throws as `send` does. */
  pages(route: string, parameters?: Readonly<Record<string, unknown>>): Promise<readonly unknown[]>;
}

const TIMEOUT_MS = 30_000;
const SILENT = { debug: ignore, info: ignore, warn: ignore, error: ignore };

/** Opens a client of GitHub or GitHub Enterprise Server. Nothing is sent yet. */
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
    // On GitHub Enterprise Server the GraphQL API is next to version 3 of the REST API, not below it.
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

/** Converts an error of the library. The library sets status 500 when there was no answer; here the status is null then. */
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
  // The command line prints its own messages.
}
