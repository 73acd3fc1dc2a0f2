import type { DiagnosticCode } from '../source/diagnostic-codes.ts';

/** A finding before it has its place. */
export interface ErrorText {
  readonly code: DiagnosticCode;
  readonly message: string;
  readonly hint?: string | undefined;
  /** The key inside of the value that is meant; the value itself when absent. */
  readonly key?: string | undefined;
  /** Whether the value can be written so that it is right without changing what it says. */
  readonly fixable?: true;
}
