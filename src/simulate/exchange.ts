import type { Value, Values } from '../expression/index.ts';
import type { Header } from './headers.ts';
import type { Url } from './url.ts';

/** A request as it comes in. Strings are binary: one char for each byte. */
export interface SimulatedRequest {
  readonly url: Url;
  readonly method: string;
  /** The address it comes from; when absent, none that a rule could name. */
  readonly ip?: Value;
  readonly headers: readonly Header[];
  /** The user agent of a browser, when it was assumed because none was given. */
  readonly assumedAgent?: string;
  readonly body?: string;
  /** The given values of fields that do not follow from the other members, by name. */
  readonly fields: Values;
  /** Whether challenges are already solved and let the request pass. */
  readonly challengeSolved: boolean;
}

/** The response of the origin. */
export interface SimulatedResponse {
  readonly status: number;
  readonly headers: readonly Header[];
  readonly fields: Values;
}

/** A request, with the response to it and the count of its rate limits, if known. */
export interface Scenario {
  readonly request: SimulatedRequest;
  /** Without a response, the response phases are not simulated. */
  readonly response?: SimulatedResponse;
  /** How many requests the rate limits have counted in their period, including this one; when absent, rate limits only count and never act. */
  readonly count?: number;
  /** IANA name of the time zone in which people read times; UTC when absent. */
  readonly timeZone?: string;
}
