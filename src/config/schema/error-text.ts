import type { DiagnosticCode } from '../source/diagnostic-codes.ts';

/** A finding before its location is known. */
export interface ErrorText {
  readonly code: DiagnosticCode;
  readonly message: string;
  readonly hint?: string | undefined;
  /** The key inside the value that the finding is about; absent when it is about the value itself. */
  readonly key?: string | undefined;
  /** Whether the value can be rewritten to be right without changing what it says. */
  readonly fixable?: true;
}
