import type { Reading } from '../language/parse-error.ts';

/** A parse error explained to people who do not know how parsers work, with advice. */
export interface Explanation {
  readonly message: string;
  readonly hint?: string | undefined;
}

/** A `Reading` of one kind. */
export type ReadingOf<Kind extends Reading['kind']> = Extract<Reading, { readonly kind: Kind }>;
