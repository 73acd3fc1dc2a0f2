import { RulewrightError } from '../model/index.ts';
import type { ServiceResponse } from './response.ts';
import type { Connection, ConnectionOptions } from './connection.ts';
import { createConnection } from './connection.ts';
import { ABSENT_RULE_ID, ANALYTICS_PATH } from './paths.ts';
import type { Query, WriteRequest } from './request.ts';

/** Options of a read. */
export interface GetOptions {
  readonly query?: Query;
  /** The phase that is read, for the hint about a missing permission (api.md 11.2). */
  readonly phase?: string;
  /** Keeps waiting for its turn when the run is interrupted: needed to find out what a write did. */
  readonly insist?: boolean;
}

/** A client that can only read. Every method rejects with a `ServiceError`. */
export interface ReadClient {
  readonly baseUrl: string;
  get(path: string, options?: GetOptions): Promise<ServiceResponse>;
}

/** A client that can ask the analytics. Its method rejects with a `ServiceError`. */
export interface AnalyticsClient {
  /** Asks a GraphQL query; the result is its `data`. */
  ask(query: string, variables: Readonly<Record<string, unknown>>): Promise<ServiceResponse>;
}

/** A client that can also write. */
export interface WriteClient extends ReadClient {
  send(request: WriteRequest): Promise<ServiceResponse>;
}

/** A client that can only have the service check a write (api.md 2.4); it can neither read nor write. */
export interface DryRunClient {
  readonly baseUrl: string;
  /** Sends the request with `dry_run=true`. A request that already has `dry_run` or `waf_migration` is rejected as a bug. */
  check(request: WriteRequest): Promise<ServiceResponse>;
  /**
   * Deletes a rule that cannot exist (`ABSENT_RULE_ID`) with this value of `dry_run`, to learn whether the service knows the parameter. Any
   * other path is rejected as a bug.
   */
  probe(path: string, dryRun: 'true' | 'invalid'): Promise<ServiceResponse>;
}

/** A resource with connections; closing it waits for the requests in flight. */
export interface Closable {
  close(): Promise<void>;
}

/** Opens a client for plan, drift and everything else that only reads. Throws `api/bad-credentials` and `api/bad-base-url`. */
export function openReadClient(options: ConnectionOptions): ReadClient & AnalyticsClient & Closable {
  const { baseUrl, request, close } = createConnection(options);
  return { baseUrl, ...readingOver(request), close };
}

/** Opens a client for apply. Throws as `openReadClient` does. */
export function openWriteClient(options: ConnectionOptions): WriteClient & AnalyticsClient & Closable {
  const { baseUrl, request, close } = createConnection(options);
  return { baseUrl, ...readingOver(request), send: request, close };
}

function readingOver(request: Connection['request']): Pick<ReadClient, 'get'> & AnalyticsClient {
  return {
    get: (path, more) => request({ method: 'GET', path, ...more }),
    ask: (query, variables) =>
      request({ method: 'POST', path: ANALYTICS_PATH, body: { query, variables }, asks: true }),
  };
}

/** Opens a client that can have writes checked but cannot make any. Throws as `openReadClient` does. */
export function openDryRunClient(options: ConnectionOptions): DryRunClient & Closable {
  const { baseUrl, request, close } = createConnection(options);
  return { ...dryRunOver(baseUrl, request), close };
}

/** Returns a dry-run client over the connections of a client that can write. */
export function dryRunOf(client: WriteClient): DryRunClient {
  return dryRunOver(client.baseUrl, (request) => client.send(request));
}

function dryRunOver(
  baseUrl: string,
  send: (request: WriteRequest) => Promise<ServiceResponse>,
): DryRunClient {
  return {
    baseUrl,
    check: async (request) => {
      const query = request.query ?? {};
      if ('dry_run' in query || 'waf_migration' in query || request.path.includes('?')) {
        throw misuse(
          `a dry run of ${request.method} ${request.path} has a query that does not belong to one`,
        );
      }
      return send({ ...request, query: { ...query, dry_run: 'true' } });
    },
    probe: async (path, dryRun) => {
      if (!path.endsWith(`/rules/${ABSENT_RULE_ID}`)) {
        throw misuse(`a probe of DELETE ${path} would name a rule that can exist`);
      }
      return send({ method: 'DELETE', path, query: { dry_run: dryRun } });
    },
  };
}

function misuse(message: string): RulewrightError {
  return new RulewrightError(message, { code: 'api/misuse', fault: 'bug' });
}
