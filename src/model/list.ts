import type { SourceSpan } from './source.ts';

/** What a list of an account holds (api.md 9.8). */
export type ListKind = 'ip' | 'redirect' | 'hostname' | 'asn';

/** A list that a rule names: in an expression as `$name`, or as the list of its redirects. */
export interface ListUse {
  /** Without `$`. */
  readonly name: string;
  /** What the list has to hold there. */
  readonly holds: ListKind;
  readonly where: SourceSpan;
}
