import { findProject } from '../../config/project/find-project.ts';
import { RulewrightError } from '../../model/error.ts';
import type { ScopeOutline } from '../../model/state.ts';
import type { Selection } from './selection.ts';

/**
 * The scopes as if the files wanted nothing but what they declare, to show what nobody manages. Throws where the run is about parts of
 * scopes: what another file or phase declares would be taken for unmanaged.
 */
export async function wholeScopes(
  scopes: readonly ScopeOutline[],
  { cwd, config, paths, targets }: Selection,
): Promise<readonly ScopeOutline[]> {
  const found = await findProject({ cwd, config, paths });
  const isPart = found.kind !== 'not-found' && found.selected.length > 0;
  if (isPart || targets.some(({ phase }) => phase !== null)) {
    throw new RulewrightError('--unmanaged looks at whole scopes, and this run is about parts of them', {
      code: 'usage/part-of-scope',
      fault: 'user',
      hint: 'leave out files and phases; --target zone:NAME chooses one zone',
    });
  }
  return scopes.map((scope) => ({ ...scope, rulesetOwnership: 'everything' }));
}
