import type { ScopeRef } from '../../model/scope.ts';

/** A request that was answered, as `GET /_emulator/requests` lists it. */
export interface RequestRecord {
  readonly method: string;
  /** The path with its query string, as it was sent. */
  readonly path: string;
  readonly status: number;
  /** Whether the state changed. */
  readonly wrote: boolean;
  /**
   * The names of the faults that took effect; absent when there were none. A request that was cut off unanswered has
   * status 0.
   */
  readonly faults?: readonly string[];
}

/** What the emulator reports to its `log`; the emulator never prints. */
export type EmulatorEvent =
  | ({ readonly kind: 'request' } & RequestRecord)
  | { readonly kind: 'failure'; readonly message: string }
  /** The option `scopes` made the emulator create a zone or account; `near` is a zone that may have been meant instead. */
  | { readonly kind: 'made'; readonly scope: ScopeRef; readonly near?: string };
