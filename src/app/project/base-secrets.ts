import { readProjectFile, sourceText } from '../../config/index.ts';
import { isCredential, isSensitiveEntry, RulewrightError, referenceTo } from '../../model/index.ts';
import type { Environment } from '../../model/index.ts';
import type { ProjectDocument } from '../../model/generated/documents.ts';
import { openRevision } from './git-revision.ts';

/** Returns the environment variables that a project file calls sensitive, except credentials. */
export function sensitiveIn(document: ProjectDocument | undefined): readonly string[] {
  return Object.values(document?.env ?? {}).flatMap((said) =>
    typeof said === 'object' && isSensitiveEntry(said) && !isCredential(said.from) ? [said.from] : [],
  );
}

/** The project folder, and the project file relative to it. */
interface ProjectRoot {
  readonly root: string;
  readonly file: string;
}

/**
 * Returns the environment variables that the project file called sensitive at the revisions which a run compares with. Their values
 * may still be live, so a change that removes the declaration must not show them.
 */
export async function sensitiveAt(
  project: ProjectRoot,
  revisions: readonly (string | undefined)[],
): Promise<readonly string[]> {
  const named = new Set(revisions.filter((revision) => revision !== undefined));
  const names = await Promise.all([...named].map((revision) => sensitiveOf(project, revision)));
  return [...new Set(names.flat())];
}

async function sensitiveOf({ root, file }: ProjectRoot, name: string): Promise<readonly string[]> {
  try {
    const revision = await openRevision(root, name);
    const source = sourceText(file, (await revision.text(file)) ?? '');
    return sensitiveIn(readProjectFile({ kind: 'read', source }).valid?.value);
  } catch (error) {
    if (error instanceof RulewrightError && UNREAD.has(error.code)) {
      return [];
    }
    throw error;
  }
}

/**
 * Errors that are ignored here: the run itself reports them when it compares with the revision, after faults in its files, and then
 * plans nothing.
 */
const UNREAD: ReadonlySet<string> = new Set(['settings/no-revision', 'settings/revision-unread']);

/**
 * Returns the environment with references in place of the values of `names`: those that files no longer call sensitive, and did at
 * the compared revisions.
 */
export function keepingSecrets(environment: Environment, names: readonly string[]): Environment {
  const kept = names.filter((name) => (environment[name] ?? '') !== '');
  return {
    ...environment,
    ...Object.fromEntries(kept.map((name) => [name, referenceTo(name, environment)])),
  };
}
