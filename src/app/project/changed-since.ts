import { canonicalJson } from '../../model/json.ts';
import { scopeLabel } from '../../model/scope.ts';
import type { ScopeOutline } from '../../model/state.ts';
import { compareDesired } from '../../plan/difference/compare-desired.ts';
import type { OnEvent } from '../run/events.ts';
import { firstFinding } from './first-finding.ts';
import type { TwoStates } from './two-states.ts';

/**
 * Returns the scopes for which the files declare something else than at a revision, once composed: packs, variables and settings
 * count, the file that declares it does not. Returns all scopes if that cannot be known, or if the guards differ. Reports the
 * choice.
 */
export function changedScopes(
  scopes: readonly ScopeOutline[],
  { revision, before, now }: TwoStates,
  report: OnEvent,
): readonly ScopeOutline[] {
  if (before.kind === 'invalid' || now.kind === 'invalid') {
    const place = before.kind === 'invalid' ? revision : 'the project';
    const why = firstFinding(before.kind === 'invalid' ? before : now);
    report({ kind: 'all-changed', revision, reason: `the files of ${place} are not valid${why}` });
    return scopes;
  }
  const settings = [before, now].map(({ project }) => canonicalJson(project.settings.safety));
  if (settings[0] !== settings[1]) {
    report({ kind: 'all-changed', revision, reason: 'the guards (safety) differ' });
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
