import type { Value, Values } from '../expression/index.ts';
import type { Header } from './headers.ts';
import type { Url } from './url.ts';

/** A request as it comes in. Texts are binary strings: one char for each byte. */
export interface SimulatedRequest {
  readonly url: Url;
  readonly method: string;
  /** Where it comes from; absent: from no address that a rule could name. */
  readonly ip?: Value;
  readonly headers: readonly Header[];
  /** Its user agent, where nobody said one and it has that of a browser. */
  readonly assumedAgent?: string;
  readonly body?: string;
  /** Values of fields that do not follow from the rest, by name. */
  readonly fields: Values;
  /** Whether challenges are solved already and let the request pass. */
  readonly challengeSolved: boolean;
}

/** What the origin answers. */
export interface SimulatedResponse {
  readonly status: number;
  readonly headers: readonly Header[];
  readonly fields: Values;
}

/** One request, and what is known around it. */
export interface Scenario {
  readonly request: SimulatedRequest;
  /** Without it the phases of responses are not looked at. */
  readonly response?: SimulatedResponse;
  /** How many requests the rate limits have counted in their period, this one included; absent: they only count. */
  readonly count?: number;
}
