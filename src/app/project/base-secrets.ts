import { readProjectFile } from '../../config/project/project-file.ts';
import { sourceText } from '../../config/source-text.ts';
import { isCredential } from '../../model/credential-variables.ts';
import type { Environment } from '../../model/environment.ts';
import type { ProjectDocument } from '../../model/generated/documents.ts';
import { referenceTo } from '../../model/sensitive.ts';
import { openRevision } from './git-revision.ts';

/** The environment variables that a project file calls sensitive. */
export function sensitiveIn(document: ProjectDocument | undefined): readonly string[] {
  return Object.values(document?.env ?? {}).flatMap((said) =>
    typeof said === 'object' && said.sensitive === true && !isCredential(said.from) ? [said.from] : [],
  );
}

/**
 * Those that the project file called so at the revisions which a run compares with. Their values may still be live, so a change that
 * takes the declaration away must not show them. Rejects with `settings/no-revision` for one that Git does not have.
 */
export async function sensitiveAt(
  { root, file }: { readonly root: string; readonly file: string },
  revisions: readonly (string | undefined)[],
): Promise<readonly string[]> {
  const names = await Promise.all(
    [...new Set(revisions)].map(async (name) => {
      if (name === undefined) {
        return [];
      }
      const revision = await openRevision(root, name);
      const entry = (await revision.list()).find(({ path, isLink }) => path === file && !isLink);
      const content = entry === undefined ? undefined : (await revision.contents([entry.id])).get(entry.id);
      return content === undefined
        ? []
        : sensitiveIn(
            readProjectFile({ kind: 'read', source: sourceText(file, content.toString('utf8')) }).valid
              ?.value,
          );
    }),
  );
  return [...new Set(names.flat())];
}

/** The environment with references in place of values that files no longer call sensitive, and did at those revisions. */
export function keepingSecrets(environment: Environment, names: readonly string[]): Environment {
  const kept = names.filter((name) => (environment[name] ?? '') !== '');
  return {
    ...environment,
    ...Object.fromEntries(kept.map((name) => [name, referenceTo(name, environment)])),
  };
}
