import type { Severity } from './diagnostic.ts';

/** The fixed facts about a diagnostic code, independent of any finding. */
export interface CodeHelp {
  readonly severity: Severity;
  readonly title: string;
  readonly hint?: string | undefined;
}
