/** Query parameters, by name. */
export type Query = Readonly<Record<string, string | number>>;

/** A request that changes something if the service accepts it. */
export interface WriteRequest {
  readonly method: 'POST' | 'PUT' | 'PATCH' | 'DELETE';
  /** Relative to the base URL, with a leading slash and without a query. */
  readonly path: string;
  readonly query?: Query;
  readonly body?: unknown;
  /** The phase that is written, for the hint about a missing permission (api.md 11.2). */
  readonly phase?: string;
  /** Keeps waiting for its turn when the run is interrupted. */
  readonly insist?: boolean;
  /** Repeats what was live when it was made, so it is never sent again as it is, not even after a 429: that has to be looked at again first. */
  readonly once?: true;
}

/** Any request to the service. */
export interface ServiceRequest extends Omit<WriteRequest, 'method'> {
  readonly method: WriteRequest['method'] | 'GET';
  /** A question to the analytics: sent by POST, changes nothing, and is answered in the form of GraphQL. */
  readonly asks?: true;
}

/** Whether a request can change nothing. */
export function isRead({ method, asks }: ServiceRequest): boolean {
  return method === 'GET' || asks === true;
}

/** The facts of a request that messages show. */
export interface RequestFacts {
  readonly method: string;
  /** Path with query, relative to the base URL. */
  readonly path: string;
  /** The number of attempts to send the request. */
  readonly attempts: number;
  /** The service's id of the exchange (`cf-ray`); null when there is none. */
  readonly rayId: string | null;
}

/** Returns path and query as they are sent and shown in messages. */
export function requestTarget(request: ServiceRequest): string {
  if (request.query === undefined) {
    return request.path;
  }
  const query = new URLSearchParams(
    Object.entries(request.query).map(([name, value]): [string, string] => [name, String(value)]),
  ).toString();
  return query === '' ? request.path : `${request.path}?${query}`;
}

/** Which failures of a request may be retried, by the kind of the request (design: retry by what the request is). */
type Repeatability = 'read' | 'write' | 'never';

/**
 * Returns how a request may be retried. Sent only once are one with `waf_migration`, which starts something that cannot be undone, and one that
 * repeats what was live.
 */
export function repeatability(request: ServiceRequest): Repeatability {
  if (isRead(request)) {
    return 'read';
  }
  const isOnce = request.once === true || (request.query !== undefined && 'waf_migration' in request.query);
  return isOnce ? 'never' : 'write';
}

/** A request for the wire. It has no headers: they are the same for all requests, and only the transport knows the credentials. */
export interface WireRequest {
  /** The number of the request within its client, from 1. */
  readonly id: number;
  /** The number of the attempt, from 1; set by the retry. */
  readonly attempt: number;
  readonly method: ServiceRequest['method'];
  /** Path and query, relative to the base URL. */
  readonly target: string;
  readonly body?: string;
  readonly repeat: Repeatability;
  /** Whether the request keeps waiting for its turn when the run is interrupted. */
  readonly insist: boolean;
}

/** Why there is no complete response. */
export type FailureReason =
  | 'unreachable'
  | 'unresolved'
  | 'proxy'
  | 'tls'
  | 'timeout'
  | 'lost'
  | 'corrupt-body'
  | 'unsupported-encoding'
  | 'too-large'
  | 'foreign-reference'
  | 'withheld'
  | 'aborted';

/** The result of one attempt. */
export type WireResult =
  | {
      readonly kind: 'answered';
      readonly status: number;
      /** By lower-case name; the first value of a repeated header. */
      readonly headers: ReadonlyMap<string, string>;
      readonly text: string;
    }
  | {
      readonly kind: 'broken';
      readonly reason: FailureReason;
      /** False only when it is certain that no byte of the request reached the service. */
      readonly sent: boolean;
      /** The error code, such as `ECONNREFUSED`; for `proxy` the status of the proxy's response. */
      readonly detail: string;
    };

/** Sends a request once. Middleware (trace, rate limit, retry) is a function from one `Dispatch` to another. */
export type Dispatch = (request: WireRequest) => Promise<WireResult>;
