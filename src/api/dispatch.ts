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

/** Why no whole answer came. */
export type BreakReason =
  | 'unreachable'
  | 'unresolved'
  | 'proxy'
  | 'tls'
  | 'timeout'
  | 'lost'
  | 'garbled'
  | 'not-asked-for'
  | 'too-large'
  | 'foreign-reference'
  | 'aborted';

/** What came of an attempt. */
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
      readonly reason: BreakReason;
      /** False only when it is certain that no byte of the request reached the service. */
      readonly sent: boolean;
      /** The system's word for it, such as `ECONNREFUSED`; of a proxy the status that it answered with. */
      readonly detail: string;
    };

/** Sends a request once. Everything between us and the wire is a function from one of these to another. */
export type Dispatch = (request: WireRequest) => Promise<WireResult>;
