import type { WireObject } from '../protocol/wire-object.ts';

/** What a list holds (api.md 9.8). */
export type StoredListKind = 'ip' | 'hostname' | 'asn' | 'redirect';

/** The kinds of lists. */
export const listKinds: readonly StoredListKind[] = ['ip', 'redirect', 'hostname', 'asn'];

/** An item of a list; `value` holds the member for the list's kind, such as `{"ip": "192.0.2.1"}`. */
export interface StoredListItem {
  readonly id: string;
  readonly value: WireObject;
  /** Empty when there is none. */
  readonly comment: string;
  readonly created_on: string;
  readonly modified_on: string;
}

/** A list of an account, with the outcome of an operation that is under way. */
export interface StoredList {
  readonly id: string;
  /** The id of the account. */
  readonly account: string;
  readonly name: string;
  readonly kind: StoredListKind;
  readonly description: string;
  readonly created_on: string;
  readonly modified_on: string;
  readonly items: readonly StoredListItem[];
  /** The items from the moment `due` on (milliseconds since 1970). */
  readonly next?: {
    readonly due: number;
    readonly items: readonly StoredListItem[];
    readonly modified_on: string;
  };
}

/** A bulk change of items, which takes time (api.md 9.8); times are in milliseconds since 1970. */
export interface ListOperation {
  readonly id: string;
  /** The id of the account. */
  readonly account: string;
  /** The id of the list. */
  readonly list: string;
  readonly submitted: number;
  readonly due: number;
  /** Why the operation fails when it is due; absent when it succeeds. */
  readonly error?: string;
}

/** Returns a list as of a moment, with a due change applied, so that reads need not write. */
export function listAsOf(list: StoredList, now: number): StoredList {
  const { next, ...rest } = list;
  return next === undefined || now < next.due
    ? list
    : { ...rest, items: next.items, modified_on: next.modified_on };
}

/** Returns the state of an operation at a moment; it is pending for the first half of its time. */
export function stateAt(
  operation: ListOperation,
  now: number,
): 'pending' | 'running' | 'completed' | 'failed' {
  if (now >= operation.due) {
    return operation.error === undefined ? 'completed' : 'failed';
  }
  return now < (operation.submitted + operation.due) / 2 ? 'pending' : 'running';
}
