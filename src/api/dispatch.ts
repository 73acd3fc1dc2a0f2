import type { Repeatability, ServiceRequest } from './request.ts';

/** A request as it goes on the wire. It has no headers: they are the same for all, and the wire alone knows the credentials. */
export interface WireRequest {
  /** Counts the requests of one client from 1. */
  readonly id: number;
  /** From 1; counted by the retry. */
  readonly attempt: number;
  readonly method: ServiceRequest['method'];
  /** Path and query below the base URL. */
  readonly target: string;
  readonly body?: string;
  readonly repeat: Repeatability;
  /** Does not give up waiting when the run is interrupted. */
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
  | 'aborted';

/** The result of one attempt. */
export type WireResult =
  | {
      readonly kind: 'answered';
      readonly status: number;
      /** By lower-case name; of a repeated one the first. */
      readonly headers: ReadonlyMap<string, string>;
      readonly text: string;
    }
  | {
      readonly kind: 'broken';
      readonly reason: FailureReason;
      /** False only when it is certain that no byte of the request reached the service. */
      readonly sent: boolean;
      /** The error code, such as `ECONNREFUSED`; for `proxy` the status of its response. */
      readonly detail: string;
    };

/** Sends a request once. Middleware (trace, rate limit, retry) is a function from one `Dispatch` to another. */
export type Dispatch = (request: WireRequest) => Promise<WireResult>;
