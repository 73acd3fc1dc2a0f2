import type { Values } from '../expression/index.ts';
import type { TrafficOutcome } from '../model/index.ts';
import type { Header, Url } from '../simulate/index.ts';

/** What the service itself says it did with a request. */
export interface RecordedAction {
  /** Null where the record has a word for it that is not known here. */
  readonly outcome: TrafficOutcome | null;
  /** Whether the visitor had solved the challenge, so that the request went on. */
  readonly solved: boolean;
  /** Id of the rule that ended the request; empty where none did, or the record has none. */
  readonly rule: string;
  /** What each product did, by the service's word for the product; null where the record does not say. */
  readonly byProduct: ReadonlyMap<string, TrafficOutcome> | null;
}

/** One recorded request, in the words of the rules language. */
export interface TrafficRecord {
  /** Milliseconds since 1970; null where the record has none. */
  readonly time: number | null;
  /** The host as sent, in lower case and without port; empty where the record has none. */
  readonly host: string;
  readonly method: string;
  readonly url: Url;
  /** Whether the record says if the request came by https. */
  readonly hasScheme: boolean;
  /** The address of the visitor as text; empty where the record has none. */
  readonly address: string;
  /** The known fields that do not follow from the URL. */
  readonly fields: Values;
  /** The headers that are known, and whether there were no others. */
  readonly headers: readonly Header[];
  readonly hasAllHeaders: boolean;
  /** Status of the answer; null where it is not known, or there was none. */
  readonly status: number | null;
  readonly recorded: RecordedAction | null;
  /** The data centre where rate limits count; empty where the record does not say. */
  readonly colo: string;
}

/** A record, or why a line is none. */
export type ReadRecord =
  | { readonly kind: 'record'; readonly record: TrafficRecord }
  | { readonly kind: 'unreadable'; readonly reason: string }
  /** The line is no request: the header of a file, or an event of another kind. */
  | { readonly kind: 'none' };

/** Reads one line. Never throws. */
export type LineReader = (line: string) => ReadRecord;

/** Why a line is no record. */
export function unreadable(reason: string): ReadRecord {
  return { kind: 'unreadable', reason };
}

/** A line that has no request in it. */
export const NO_RECORD: ReadRecord = { kind: 'none' };
