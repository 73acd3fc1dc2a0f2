import type { OutlineResult } from '../config/load-project.ts';
import { canonicalJson } from '../model/json.ts';
import { scopeLabel } from '../model/scope.ts';
import type { ScopeOutline } from '../model/state.ts';
import { compareDesired } from '../plan/compare-desired.ts';
import type { Report } from './events.ts';
import { outline } from './load.ts';
import { loadRevision } from './revision-project.ts';
import type { Selection } from './selection.ts';

/** A project that was loaded, and the scopes of it that are wanted. */
export interface Wanted {
  readonly loaded: Extract<OutlineResult, { readonly kind: 'loaded' }>;
  readonly scopes: readonly ScopeOutline[];
}

/**
 * Those of the wanted scopes of which the files say something else than at a revision, composed: packs,
 * variables and settings count, and in which file it stands does not. All of them when that cannot be
 * known, or when the guards differ; what was chosen is told. Throws `settings/no-revision`.
 */
export async function changedScopes(
  { loaded, scopes }: Wanted,
  { selection, revision }: { readonly selection: Selection; readonly revision: string },
  report: Report,
): Promise<readonly ScopeOutline[]> {
  const before = await loadRevision(loaded.project, revision, selection);
  // Files that narrow the run leave parts of a scope out, which would count as changed.
  const now = selection.paths.length === 0 ? loaded : await outline({ ...selection, paths: [] });
  if (before.kind === 'invalid' || now.kind === 'invalid') {
    const place = before.kind === 'invalid' ? revision : 'the project';
    const [first] = (before.kind === 'invalid' ? before : now).diagnostics;
    const why = first === undefined ? '' : `: ${first.where?.file ?? ''} ${first.message}`;
    report({ kind: 'all-changed', revision, reason: `the files of ${place} are not valid${why}` });
    return scopes;
  }
  const settings = [before, now].map(({ project }) => canonicalJson(project.settings.safety));
  if (settings[0] !== settings[1]) {
    report({ kind: 'all-changed', revision, reason: 'the guards (safety) are others' });
    return scopes;
  }
  const { changed, gone } = compareDesired(before.project.scopes, now.project.scopes);
  const labels = new Set(changed.map(({ scope }) => scopeLabel(scope.scope)));
  const chosen = scopes.filter(({ scope }) => labels.has(scopeLabel(scope)));
  const told = new Set(chosen.map(({ scope }) => scopeLabel(scope)));
  report({
    kind: 'changed-since',
    revision,
    changed: changed
      .filter(({ scope }) => told.has(scopeLabel(scope.scope)))
      .map(({ scope, rulesets }) => ({ scope: scopeLabel(scope.scope), rulesets })),
    gone,
    total: scopes.length,
  });
  return chosen;
}
