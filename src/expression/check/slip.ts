import type { ParseError } from '../language/parse-error.ts';
import type { Code } from './codes.ts';
import type { Fix } from './finding.ts';

/** A frequent mistake behind a parse error, with advice. */
export interface Slip {
  readonly code: Code;
  /** Replaces the error's message where that would mislead. */
  readonly message?: string;
  readonly hint?: string;
  readonly fix?: Fix;
}

/** Recognises one slip from a parse error and the text (as bytes); undefined when it is not that slip. */
export type Recogniser = (error: ParseError, bytes: string) => Slip | undefined;
