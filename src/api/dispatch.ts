import type { Repeatability, ServiceRequest } from './request.ts';

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
