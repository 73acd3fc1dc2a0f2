import type { SourceSpan } from './source.ts';

/** The kind of items in an account's list (api.md 9.8). */
export type ListKind = 'ip' | 'redirect' | 'hostname' | 'asn';

/** A rule's use of a list: in an expression as `$name`, or as the list of its redirects. */
export interface ListUse {
  /** Without `$`. */
  readonly name: string;
  /** The kind of list that this use requires. */
  readonly holds: ListKind;
  readonly where: SourceSpan;
}
