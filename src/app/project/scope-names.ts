import { loadProject } from '../../config/index.ts';
import { scopeLabel } from '../../model/index.ts';
import type { Selection } from './selection.ts';

/**
 * Returns the names of a project's scopes of some kinds, for completion; with their kind once a kind is typed. Expressions are not
 * checked, to answer quickly; an invalid project has no names.
 */
export async function scopeNames(
  { cwd }: Pick<Selection, 'cwd'>,
  { partial, kinds }: { readonly partial: string; readonly kinds: readonly string[] },
): Promise<readonly string[]> {
  const loaded = await loadProject({ cwd, checkExpression: () => [] });
  if (loaded.kind === 'invalid') {
    return [];
  }
  const names = loaded.project.scopes
    .filter(({ scope }) => kinds.includes(scope.kind))
    .map(({ scope }) => (/^(?:zone|account):/.test(partial) ? scopeLabel(scope) : scope.name));
  return [...new Set(names)].filter((name) => name.startsWith(partial));
}
