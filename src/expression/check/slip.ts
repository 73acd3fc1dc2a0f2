import type { ParseError } from '../language/parse-error.ts';
import type { Code } from './codes.ts';
import type { Fix } from './finding.ts';

/** A frequent slip behind a parse error: what it is, and what to do. */
export interface Slip {
  readonly code: Code;
  /** Where the slip is not what the error seems to say. */
  readonly message?: string;
  readonly hint?: string;
  readonly fix?: Fix;
}

/** Looks at a parse error and at the text (as bytes) around it; undefined when the slip is another one. */
export type Recogniser = (error: ParseError, bytes: string) => Slip | undefined;
