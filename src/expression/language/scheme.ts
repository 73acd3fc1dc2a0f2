import type { Signature } from './signature.ts';
import type { Type } from '../values/type.ts';

/**
 * What names mean to a parser: fields with their types, functions with their signatures (one name space,
 * `rules-language.md` 1.2), and the types for which lists exist.
 */
export interface Scheme {
  readonly fields: ReadonlyMap<string, Type>;
  readonly functions: ReadonlyMap<string, Signature>;
  /** Types of left sides that take `in $list`. */
  readonly lists: ReadonlySet<string>;
}

/** The types of left sides that have lists at the service: ASN, hostname and IP lists (`rules-language.md` 1.4). */
export const LISTED_TYPES: ReadonlySet<string> = new Set(['Int', 'Bytes', 'Ip']);
