import { rulesetNameText } from './ruleset-name.ts';
import type { Selection } from '../project/selection.ts';
import { loadProject } from '../../config/index.ts';
import { scopeLabel } from '../../model/index.ts';
import type { DesiredScope, RulesetAddress } from '../../model/index.ts';
import { slug } from '../../text/index.ts';

/** Names in a project, for completion. Expressions are not checked, to answer quickly; an invalid project has no names. */
async function declaredScopes(cwd: string): Promise<readonly DesiredScope[]> {
  const loaded = await loadProject({ cwd, checkExpression: () => [] });
  return loaded.kind === 'invalid' ? [] : loaded.project.scopes;
}

/** Returns the names of a project's scopes of some kinds; with their kind once a kind is typed. */
export async function scopeNames(
  { cwd }: Pick<Selection, 'cwd'>,
  { partial, kinds }: { readonly partial: string; readonly kinds: readonly string[] },
): Promise<readonly string[]> {
  const scopes = await declaredScopes(cwd);
  const names = scopes
    .filter(({ scope }) => kinds.includes(scope.kind))
    .map(({ scope }) => (/^(?:zone|account):/.test(partial) ? scopeLabel(scope) : scope.name));
  return [...new Set(names)].filter((name) => name.startsWith(partial));
}

/** Returns the names of all rulesets of a project as they are typed. */
export async function declaredRulesets({ cwd }: Pick<Selection, 'cwd'>): Promise<readonly string[]> {
  const scopes = await declaredScopes(cwd);
  const names = scopes.flatMap(({ rulesets }) => rulesets.map(({ address }) => typed(address)));
  return [...new Set(names)].sort();
}

function typed(address: RulesetAddress): string {
  return rulesetNameText(address.kind === 'custom' ? { ...address, slug: slug(address.name) } : address);
}
