import type { Method } from '../protocol/method.ts';
import type { JsonObject } from '../protocol/json.ts';

/** Something that goes wrong on purpose: which requests it strikes, and how. */
export interface Fault {
  /** What the log calls it. */
  readonly name: string;
  readonly when: Trigger;
  readonly effect: Effect;
}

/** Which requests a fault strikes; what is undefined does not matter. */
export interface Trigger {
  readonly methods: readonly string[] | undefined;
  /** A path below the base URL; `*` stands for one segment, `**` for any number of them. */
  readonly path: string | undefined;
  /** Query parameters and their values; `*` for any value. */
  readonly query: Readonly<Record<string, string>> | undefined;
  /** The phase whose ruleset the request names, by path, by id or in its body. */
  readonly phase: string | undefined;
  /** Of the requests that match, the ones with these numbers, counted from 1. */
  readonly nth: readonly number[] | undefined;
  /** Of the requests that match, every so many. */
  readonly every: number | undefined;
  /** The most times that it strikes. */
  readonly times: number | undefined;
}

/** Whether something happens before the service has done what the request asks, or when it is stored. */
export type Moment = 'before' | 'after';

/** How a request goes wrong. */
export type Effect =
  /** Another status and envelope; `errors: []` gives an empty list, status 200 a success that is none. */
  | {
      readonly kind: 'error';
      readonly status: number;
      readonly errors: readonly JsonObject[];
      readonly headers: Readonly<Record<string, string>>;
      readonly moment: Moment;
    }
  /** The service's clock moves on; `real` waits as well. */
  | { readonly kind: 'delay'; readonly milliseconds: number; readonly real: boolean }
  /** The connection breaks without an answer. */
  | { readonly kind: 'cut'; readonly moment: Moment }
  /** A page of the edge in place of JSON. */
  | {
      readonly kind: 'html';
      readonly status: number;
      readonly text: string | undefined;
      readonly moment: Moment;
    }
  /** Only the first bytes of the answer, half of them unless said; then the connection ends or just the body does. */
  | {
      readonly kind: 'truncate';
      readonly bytes: number | undefined;
      readonly connection: 'closed' | 'kept';
    }
  /** The body comes in pieces, with pauses of real time between them. */
  | { readonly kind: 'slow'; readonly pieces: number; readonly milliseconds: number }
  /** 429, for this request or, from it on, for all requests for some seconds. */
  | { readonly kind: 'limit'; readonly seconds: number; readonly retryAfter: number | undefined }
  /** Somebody else writes. */
  | {
      readonly kind: 'edit';
      readonly scope: string | undefined;
      readonly phase: string | undefined;
      readonly change: Change;
      readonly moment: Moment;
    }
  /** A token that is not known everywhere yet: refused for some seconds from its first request on. */
  | { readonly kind: 'spread'; readonly seconds: number }
  /** Members that no schema has, in the result, its items and its rules. */
  | { readonly kind: 'unknown_fields'; readonly fields: JsonObject }
  /** Members that are not there, in the result and its items. */
  | { readonly kind: 'missing'; readonly members: readonly string[] }
  /** A read that shows the version before the latest. */
  | { readonly kind: 'stale' }
  /** The request arrives twice; the second answer comes back. */
  | { readonly kind: 'twice' };

/** What somebody else does meanwhile, as in the dashboard. A rule is named by ref, id or description, or by its place from 1. */
export type Change =
  | { readonly kind: 'add'; readonly rule: JsonObject; readonly position: JsonObject | undefined }
  | { readonly kind: 'patch'; readonly rule: string; readonly set: JsonObject }
  | { readonly kind: 'delete'; readonly rule: string }
  | { readonly kind: 'move'; readonly rule: string; readonly position: JsonObject }
  | { readonly kind: 'create_ruleset'; readonly ruleset: JsonObject }
  | { readonly kind: 'delete_ruleset'; readonly ruleset: string | undefined }
  | {
      readonly kind: 'request';
      readonly method: Method;
      readonly path: string;
      readonly body: JsonObject | undefined;
    };

/** An injected fault, as the log keeps it. */
export interface FaultRecord {
  /** The service's time. */
  readonly at: string;
  readonly fault: string;
  readonly kind: Effect['kind'];
  readonly method: string;
  /** Path with query. */
  readonly path: string;
  /** The how manieth matching request it was; 0 where the fault lasts from an earlier one on. */
  readonly match: number;
  /** What came of it, where there is something to tell. */
  readonly detail?: string;
}
