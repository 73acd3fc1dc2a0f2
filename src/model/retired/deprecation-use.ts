import type { RouteMethod } from './deprecation.ts';
import type { SourceSpan } from '../source.ts';

/** What was matched: a request, one of its fields, a Terraform block, a call of a vendor's library, or a rule parameter. */
export type UseSign =
  | { readonly kind: 'route'; readonly method: RouteMethod | null; readonly path: string }
  | { readonly kind: 'field'; readonly name: string }
  | { readonly kind: 'terraform'; readonly name: string }
  | { readonly kind: 'call'; readonly name: string }
  | { readonly kind: 'parameter'; readonly name: string };

/** A use of something that the service retires. It holds no text of the file, which may be secret. */
export interface DeprecationUse {
  /** Id of the row in the deprecation registry. */
  readonly deprecation: string;
  readonly sign: UseSign;
  readonly where: SourceSpan;
}

/** The uses in a file: the first of each kind with its place, and how many more there are. */
export interface FileUses {
  readonly uses: readonly DeprecationUse[];
  readonly more: number;
}

export interface ScanResult {
  readonly uses: readonly DeprecationUse[];
  /** Number of uses beyond the first of each kind in a file. */
  readonly more: number;
  readonly files: number;
  /** Number of files skipped because they are not text. */
  readonly binary: number;
  /** Files and folders that could not be read, and why. */
  readonly unread: readonly { readonly file: string; readonly reason: string }[];
}
