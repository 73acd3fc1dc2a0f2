import type { Diagnostic } from '../../model/diagnostic.ts';
import type { ScopeOutline } from '../../model/state.ts';

/**
 * Returns the findings that concern a run about some of the scopes. Drops those in files that declare only other scopes, as when a
 * run is narrowed to files; a finding about a rule of a pack counts for the file that uses the pack. `validate` reports all.
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
