import type { Cause } from './source.ts';

/** One error of the service, led back to the rule that it is about. */
export interface ServiceRefusal {
  /** The service's text. */
  readonly message: string;
  readonly code?: number;
  /** JSON Pointer into the body that was sent. */
  readonly pointer?: string;
  /** `ref` of the rule; absent when it is about the whole ruleset, or not known. */
  readonly rule?: string;
  readonly cause?: Cause;
}
