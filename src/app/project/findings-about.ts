import type { Diagnostic } from '../../model/diagnostic.ts';
import type { ScopeOutline } from '../../model/state.ts';

/**
 * The findings that concern a run about some of the scopes. Those in files that declare none but others are left out, as they are where
 * the run is narrowed to files; what a rule of a pack is found for stands in the file that uses it. `validate` tells all.
 */
export function findingsAbout(
  wanted: readonly ScopeOutline[],
  scopes: readonly ScopeOutline[],
  diagnostics: readonly Diagnostic[],
): readonly Diagnostic[] {
  const [ours, all] = [filesOf(wanted), filesOf(scopes)];
  return diagnostics.filter(({ where }) => {
    const file = where?.via?.at(-1)?.file ?? where?.file;
    return file === undefined || ours.has(file) || !all.has(file);
  });
}

function filesOf(scopes: readonly ScopeOutline[]): ReadonlySet<string> {
  return new Set(scopes.flatMap(({ files = [] }) => files));
}
