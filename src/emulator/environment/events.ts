import type { ScopeRef } from '../../model/scope.ts';

/** A request that was answered: what `GET /_emulator/requests` lists. */
export interface RequestRecord {
  readonly method: string;
  /** The path with its query string, as it was sent. */
  readonly path: string;
  readonly status: number;
  /** Whether the state changed. */
  readonly wrote: boolean;
  /** The faults that struck it; absent when none did. The status of an answer that was cut off is 0. */
  readonly faults?: readonly string[];
}

/** What the emulator tells its owner; it never prints. */
export type EmulatorEvent =
  | ({ readonly kind: 'request' } & RequestRecord)
  | { readonly kind: 'failure'; readonly message: string }
  /** A zone or account that `scopes` of the options asked for was made; `near` is a zone that may be meant. */
  | { readonly kind: 'made'; readonly scope: ScopeRef; readonly near?: string };
