import type { ImportedFiles, ImportRefusal } from '../../model/import-summary.ts';
import type { Replaced } from './require-saved.ts';

/** The files of a scope as an import makes them. */
export interface ScopeFiles extends ImportedFiles {
  readonly label: string;
  readonly accountId: string;
  /** The files that change, with their texts, by their paths from the project folder. */
  readonly texts: ReadonlyMap<string, string>;
  /** What of the files of before is in none of these texts. */
  readonly replaced: readonly Replaced[];
  /** Why they are not to be written; only in a dry run, which shows them all the same. */
  readonly refusal?: ImportRefusal;
}
