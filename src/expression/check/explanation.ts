import type { Reading } from '../language/parse-error.ts';

/** A parse error in words for people who do not know how a parser goes on, and what to do about it. */
export interface Explanation {
  readonly message: string;
  readonly hint?: string | undefined;
}

/** One kind of what was being read. */
export type ReadingOf<Kind extends Reading['kind']> = Extract<Reading, { readonly kind: Kind }>;
