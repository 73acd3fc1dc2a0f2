import type { ImportedFiles, ImportRefusal } from '../../model/index.ts';
import type { Replaced } from './require-saved.ts';
import type { DeclaredLive, FirstContent } from './scope-file-text.ts';

/** The files of a scope as an import makes them. */
export interface ScopeFiles extends ImportedFiles {
  readonly label: string;
  readonly accountId: string;
  /** What the files call the scope. */
  readonly name: string;
  /** The rulesets that the files are to declare. */
  readonly declared: readonly DeclaredLive[];
  /** What a first file has besides rulesets. */
  readonly first?: FirstContent;
  /** The texts of the files that change, by path from the project folder. */
  readonly texts: ReadonlyMap<string, string>;
  /** The texts of new packs that they use, by path from the project folder. */
  readonly packs?: ReadonlyMap<string, string>;
  /** Content of the former files that is missing in the new texts. */
  readonly replaced: readonly Replaced[];
  /** Why the files must not be written; set only in a dry run, which shows them all the same. */
  readonly refusal?: ImportRefusal;
}
