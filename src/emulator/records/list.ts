import type { JsonObject } from '../protocol/json.ts';

/** What a list holds (api.md 9.8). */
export type ListKind = 'ip' | 'hostname' | 'asn' | 'redirect';

/** The kinds of lists. */
export const listKinds: readonly ListKind[] = ['ip', 'redirect', 'hostname', 'asn'];

/** An entry of a list: `value` holds the member that the kind asks for, such as `{"ip": "192.0.2.1"}`. */
export interface ListItem {
  readonly id: string;
  readonly value: JsonObject;
  /** Empty when there is none. */
  readonly comment: string;
  readonly created_on: string;
  readonly modified_on: string;
}

/** A list of an account, with what an operation under way makes of it. */
export interface StoredList {
  readonly id: string;
  /** The id of the account. */
  readonly account: string;
  readonly name: string;
  readonly kind: ListKind;
  readonly description: string;
  readonly created_on: string;
  readonly modified_on: string;
  readonly items: readonly ListItem[];
  /** What the items are from a moment on (milliseconds since 1970). */
  readonly next?: {
    readonly due: number;
    readonly items: readonly ListItem[];
    readonly modified_on: string;
  };
}

/** A change of many items that takes its time (api.md 9.8); times are milliseconds since 1970. */
export interface ListOperation {
  readonly id: string;
  /** The id of the account. */
  readonly account: string;
  /** The id of the list. */
  readonly list: string;
  readonly submitted: number;
  readonly due: number;
  /** Why it fails when it is due. */
  readonly error?: string;
}

/** A list as it is at a moment: what was due has happened. Reads need not write. */
export function listAt(list: StoredList, now: number): StoredList {
  const { next, ...rest } = list;
  return next === undefined || now < next.due
    ? list
    : { ...rest, items: next.items, modified_on: next.modified_on };
}

/** How far an operation is at a moment: the first half of its time it waits. */
export function stateAt(
  operation: ListOperation,
  now: number,
): 'pending' | 'running' | 'completed' | 'failed' {
  if (now >= operation.due) {
    return operation.error === undefined ? 'completed' : 'failed';
  }
  return now < (operation.submitted + operation.due) / 2 ? 'pending' : 'running';
}
