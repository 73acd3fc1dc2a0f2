import type { Method } from '../protocol/answer.ts';
import type { WireObject } from '../protocol/wire-object.ts';
import { isObject, parsedJson, textAt } from '../protocol/wire-object.ts';
import type { Store } from '../store/store.ts';

/** A fault to inject: which requests it strikes, and how. */
export interface Fault {
  /** The name in the log and in the control endpoints. */
  readonly name: string;
  readonly when: Trigger;
  readonly effect: FaultEffect;
}

/** Which requests a fault strikes; an undefined member is not a condition. */
export interface Trigger {
  readonly methods: readonly string[] | undefined;
  /** A path below the base URL; `*` matches within one segment, `**` any number of segments. */
  readonly path: string | undefined;
  /** Query parameters with their values; the value `*` stands for any. */
  readonly query: Readonly<Record<string, string>> | undefined;
  /** The phase of the ruleset that the request names, by path, by id or in its body. */
  readonly phase: string | undefined;
  /** Strikes the matching requests with these numbers, counted from 1. */
  readonly nth: readonly number[] | undefined;
  /** Strikes every n-th matching request. */
  readonly every: number | undefined;
  /** The maximum number of strikes. */
  readonly times: number | undefined;
}

/** When an effect happens: before the service carries out the request, or after the result is stored. */
export type Moment = 'before' | 'after';

/** How a request goes wrong. */
export type FaultEffect =
  /**
   * Answers with another status and other errors. `errors: []` gives an empty list; with status 200, the answer looks
   * like a success but has `success: false`.
   */
  | {
      readonly kind: 'error';
      readonly status: number;
      readonly errors: readonly WireObject[];
      readonly headers: Readonly<Record<string, string>>;
      readonly moment: Moment;
    }
  /** Advances the service's clock; with `real`, waits for that time instead. */
  | { readonly kind: 'delay'; readonly milliseconds: number; readonly real: boolean }
  /** Breaks the connection without an answer. */
  | { readonly kind: 'cut'; readonly moment: Moment }
  /** Answers with an HTML page of the edge instead of JSON. */
  | {
      readonly kind: 'html';
      readonly status: number;
      readonly text: string | undefined;
      readonly moment: Moment;
    }
  /** Sends only the first bytes of the body (by default half); then closes the connection, or keeps it and just ends the body. */
  | {
      readonly kind: 'truncate';
      readonly bytes: number | undefined;
      readonly connection: 'closed' | 'kept';
    }
  /** Sends the body in pieces, with pauses of real time between them. */
  | { readonly kind: 'slow'; readonly pieces: number; readonly milliseconds: number }
  /** Answers 429 to this request and, for `seconds` from then on, to all requests. */
  | { readonly kind: 'limit'; readonly seconds: number; readonly retryAfter: number | undefined }
  /** Lets somebody else write. */
  | {
      readonly kind: 'edit';
      readonly scope: string | undefined;
      readonly phase: string | undefined;
      /** The e-mail address of who edits. */
      readonly by: string | undefined;
      readonly change: Change;
      readonly moment: Moment;
    }
  /** Treats a token as not yet known everywhere: refuses it for `seconds` from its first request on. */
  | { readonly kind: 'spread'; readonly seconds: number }
  /** Adds members that no schema has to the result, its items and its rules. */
  | { readonly kind: 'unknown_fields'; readonly fields: WireObject }
  /** Removes members from the result and its items. */
  | { readonly kind: 'missing'; readonly members: readonly string[] }
  /** Makes members of the result and its items empty lists. */
  | { readonly kind: 'emptied'; readonly members: readonly string[] }
  /** Makes a read show the version before the latest. */
  | { readonly kind: 'stale' }
  /** Carries out the request twice and returns the second answer. */
  | { readonly kind: 'twice' };

/**
 * What somebody else does meanwhile, as in the dashboard. A rule is named by ref, id or description, or by its position
 * from 1.
 */
export type Change =
  | { readonly kind: 'add'; readonly rule: WireObject; readonly position: WireObject | undefined }
  | { readonly kind: 'patch'; readonly rule: string; readonly set: WireObject }
  | { readonly kind: 'delete'; readonly rule: string }
  | { readonly kind: 'move'; readonly rule: string; readonly position: WireObject }
  | { readonly kind: 'create_ruleset'; readonly ruleset: WireObject }
  | { readonly kind: 'delete_ruleset'; readonly ruleset: string | undefined }
  | {
      readonly kind: 'request';
      readonly method: Method;
      readonly path: string;
      /** An object, or a list where a path takes one, such as that of list items. */
      readonly body: WireObject | readonly unknown[] | undefined;
    };

/** The log entry of a fault that struck. */
export interface FaultRecord {
  /** The service's time, in RFC 3339. */
  readonly at: string;
  readonly fault: string;
  readonly kind: FaultEffect['kind'];
  readonly method: string;
  /** The path with its query. */
  readonly path: string;
  /**
   * The number of the request among those that match, from 1; 0 for a request struck only because an earlier strike
   * still lasts.
   */
  readonly match: number;
  /** The outcome, where there is something to report. */
  readonly detail?: string;
}

/** What faults look at in a request. */
export interface FaultRequest {
  readonly method: string;
  /** The path below the base URL. */
  readonly path: string;
  readonly query: URLSearchParams;
  readonly authorization: string | undefined;
  readonly bodyText: string;
}

/** Returns the zone or account that a path is below, as `zones/<id>` or `accounts/<id>`. */
export function ownerOf(path: string): string | undefined {
  return /^\/((?:zones|accounts)\/[0-9a-f]{32})(?:\/|$)/u.exec(path)?.[1];
}

/** Returns the phase of the ruleset that a request names: by its path, by a ruleset id, or in the body of a creation. */
export function phaseOf(facts: FaultRequest, store: Store): string | undefined {
  const named = /\/rulesets\/phases\/([a-z0-9_]+)(?:\/|$)/u.exec(facts.path)?.[1];
  if (named !== undefined) {
    return named;
  }
  const id = /\/rulesets\/([0-9a-f]{32})(?:\/|$)/u.exec(facts.path)?.[1];
  if (id !== undefined) {
    return store.rulesets.get(id)?.phase;
  }
  if (facts.method !== 'POST' || !facts.path.endsWith('/rulesets')) {
    return undefined;
  }
  const body = parsedJson(facts.bodyText);
  return isObject(body) ? textAt(body, 'phase') : undefined;
}

/** Whether a path matches a pattern, in which `*` matches within one segment and `**` any number of segments. */
export function matchesPath(pattern: string, path: string): boolean {
  const source = pattern
    .split('/')
    .map((segment) =>
      segment === '**' ? '.*' : segment.replaceAll(/[.+?^${}()|[\]\\]/gu, '\\$&').replaceAll('*', '[^/]*'),
    )
    .join('/')
    .replaceAll('/.*', '(?:/.*)?');
  return new RegExp(`^${source}$`, 'u').test(path);
}
