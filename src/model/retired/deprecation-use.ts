import type { RouteMethod } from './deprecation.ts';
import type { SourceSpan } from '../source.ts';

/** What was matched: a request, a field of one, a Terraform block, a call of a vendor's library, a parameter of a rule. */
export type UseSign =
  | { readonly kind: 'route'; readonly method: RouteMethod | null; readonly path: string }
  | { readonly kind: 'field'; readonly name: string }
  | { readonly kind: 'terraform'; readonly name: string }
  | { readonly kind: 'call'; readonly name: string }
  | { readonly kind: 'parameter'; readonly name: string };

/** A place that uses something that the service retires. It holds no text of the file: that may be secret. */
export interface DeprecationUse {
  /** Id of the registry's row. */
  readonly deprecation: string;
  readonly sign: UseSign;
  readonly where: SourceSpan;
}

/** The uses of a file: the first of each kind with their places, and how many more there are. */
export interface FileUses {
  readonly uses: readonly DeprecationUse[];
  readonly more: number;
}

/** What a scan found. */
export interface ScanResult {
  readonly uses: readonly DeprecationUse[];
  /** Uses beyond the first of each kind in one file. */
  readonly more: number;
  readonly files: number;
  /** What was passed over as no text. */
  readonly binary: number;
  /** Files and folders that could not be read, and why. */
  readonly unread: readonly { readonly file: string; readonly reason: string }[];
}
