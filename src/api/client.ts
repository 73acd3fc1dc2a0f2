import type { ServiceResponse } from './response.ts';
import type { ConnectionOptions } from './connection.ts';
import { createConnection } from './connection.ts';
import { ABSENT_RULE_ID } from './paths.ts';
import type { Query, WriteRequest } from './request.ts';
import { RulewrightError } from '../model/error.ts';

/** Beside the path of a read. */
export interface GetOptions {
  readonly query?: Query;
  /** The phase that is read, for the hint when permission is missing (api.md 11.2). */
  readonly phase?: string;
  /** Waits for its turn also when the run was interrupted: what a write did has to be known. */
  readonly insist?: boolean;
}

/** What can read, and nothing else. Every method rejects with a `ServiceError`. */
export interface ReadClient {
  readonly baseUrl: string;
  get(path: string, options?: GetOptions): Promise<ServiceResponse>;
}

/** What can also write. */
export interface WriteClient extends ReadClient {
  send(request: WriteRequest): Promise<ServiceResponse>;
}

/** What can have the service check a write (api.md 2.4), and can neither read nor write. */
export interface DryRunClient {
  readonly baseUrl: string;
  /** Sends the request with `dry_run=true`. Rejects as a bug a request with `dry_run` or `waf_migration` of its own. */
  check(request: WriteRequest): Promise<ServiceResponse>;
  /**
   * Deletes a rule that cannot exist (`ABSENT_RULE_ID`) with this text for `dry_run`, to learn whether
   * the service knows the parameter. Rejects any other path as a bug.
   */
  probe(path: string, dryRun: 'true' | 'invalid'): Promise<ServiceResponse>;
}

/** Something with connections; closing waits for what is under way. */
export interface Closable {
  close(): Promise<void>;
}

/** A client for plan, drift and everything else that writes nothing. Throws `api/bad-credentials`, `api/bad-base-url`. */
export function openReadClient(options: ConnectionOptions): ReadClient & Closable {
  const { baseUrl, request, close } = createConnection(options);
  return { baseUrl, get: (path, more) => request({ method: 'GET', path, ...more }), close };
}

/** A client for apply. Throws as `openReadClient` does. */
export function openWriteClient(options: ConnectionOptions): WriteClient & Closable {
  const { baseUrl, request, close } = createConnection(options);
  return { baseUrl, get: (path, more) => request({ method: 'GET', path, ...more }), send: request, close };
}

/** A client that has writes checked and can make none. Throws as `openReadClient` does. */
export function openDryRunClient(options: ConnectionOptions): DryRunClient & Closable {
  const { baseUrl, request, close } = createConnection(options);
  return { ...dryRunOver(baseUrl, request), close };
}

/** The dry-run side of a client that can write, over the same connections. */
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
