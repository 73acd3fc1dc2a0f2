import type { Call, ScopedCall } from './call.ts';
import type { Answer } from '../protocol/answer.ts';
import type { Method } from '../protocol/method.ts';

/** The path of the interface; base URLs end in it. */
export const BASE_PATH = '/client/v4';

/**
 * One operation: method, path below the base URL (`:name` is an identifier, `:name{pattern}` anything else), and what
 * it does. A path with `:zone` or `:account` is resolved to a scope before `handle` is called.
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
      /** Whether the operation knows `dry_run` (api.md 2.4). */
      readonly dryRun: 'known' | 'unknown';
      readonly handle: Handle;
    };

/** What an operation does inside a zone or account. */
export type Handle = (call: ScopedCall) => Answer;

/** An operation that does not stand below a zone or account. */
export function plainRoute(method: Method, path: string, handle: (call: Call) => Answer): Route {
  return { kind: 'plain', method, path, handle };
}

/** An operation below zones only, without `dry_run`. */
export function inZones(method: Method, path: string, handle: Handle): Route {
  return { kind: 'scoped', method, path: `/zones/:zone${path}`, dryRun: 'unknown', handle };
}

/** An operation below accounts only, without `dry_run`. */
export function inAccounts(method: Method, path: string, handle: Handle): Route {
  return { kind: 'scoped', method, path: `/accounts/:account${path}`, dryRun: 'unknown', handle };
}

/** An operation that exists below zones and below accounts. */
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
