import { RulewrightError } from '../../model/error.ts';
import type { ScopeOutline } from '../../model/state.ts';
import type { TargetFilter } from './selection.ts';

/**
 * Returns the scopes as if the files owned everything in them, to show what nobody manages. Throws `usage/part-of-scope` if the run
 * is about parts of scopes, since what other files or phases declare would be taken for unmanaged.
 */
export function wholeScopes(
  scopes: readonly ScopeOutline[],
  { selected, targets }: { readonly selected: readonly string[]; readonly targets: readonly TargetFilter[] },
): readonly ScopeOutline[] {
  if (selected.length > 0 || targets.some(({ phase }) => phase !== null)) {
    throw new RulewrightError('--unmanaged looks at whole scopes, and this run is about parts of them', {
      code: 'usage/part-of-scope',
      fault: 'user',
      hint: 'leave out files and phases; --target zone:NAME chooses one zone',
    });
  }
  return scopes.map((scope) => ({ ...scope, rulesetOwnership: 'everything' }));
}
