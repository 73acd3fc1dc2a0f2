import type { Answer, Method } from '../protocol/answer.ts';
import type { Call, ScopedCall } from './call.ts';

/** The path prefix of the interface, with which base URLs end. */
export const BASE_PATH = '/client/v4';

/**
 * One operation: its method, its path below the base URL, and its handler. In the path, `:name` stands for an
 * identifier, `:name{pattern}` for anything else. A path with `:zone` or `:account` is resolved to a scope before
 * `handle` is called.
 */
export type Route =
  | {
      readonly kind: 'plain';
      readonly method: Method;
      readonly path: string;
      readonly handle: (call: Call) => Answer;
    }
  | {
      readonly kind: 'scoped';
      readonly method: Method;
      readonly path: string;
      /** Whether the operation supports `dry_run` (api.md 2.4). */
      readonly dryRun: 'known' | 'unknown';
      readonly handle: Handle;
    };

/** The handler of an operation inside a zone or account. */
export type Handle = (call: ScopedCall) => Answer;

/** Makes the route of an operation that is not below a zone or account. */
export function plainRoute(method: Method, path: string, handle: (call: Call) => Answer): Route {
  return { kind: 'plain', method, path, handle };
}

/** Makes the route of an operation that exists below zones only, without `dry_run`. */
export function inZones(method: Method, path: string, handle: Handle): Route {
  return { kind: 'scoped', method, path: `/zones/:zone${path}`, dryRun: 'unknown', handle };
}

/** Makes the route of an operation that exists below accounts only, without `dry_run`. */
export function inAccounts(method: Method, path: string, handle: Handle): Route {
  return { kind: 'scoped', method, path: `/accounts/:account${path}`, dryRun: 'unknown', handle };
}

/** Makes the two routes of an operation that exists below zones and below accounts; all but GET support `dry_run`. */
export function inBothScopes(method: Method, path: string, handle: Handle): readonly Route[] {
  const dryRun = method === 'GET' ? 'unknown' : 'known';
  return ['/zones/:zone', '/accounts/:account'].map((scope) => ({
    kind: 'scoped',
    method,
    path: scope + path,
    dryRun,
    handle,
  }));
}
