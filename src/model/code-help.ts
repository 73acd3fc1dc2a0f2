import type { Severity } from './diagnostic.ts';

/** What is known of a code before any finding carries it. */
export interface CodeHelp {
  readonly severity: Severity;
  readonly title: string;
  readonly hint?: string | undefined;
}
