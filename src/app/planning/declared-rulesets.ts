import { loadProject } from '../../config/index.ts';
import type { RulesetAddress } from '../../model/index.ts';
import { slug } from '../../text/index.ts';
import type { Selection } from '../project/selection.ts';
import { rulesetNameText } from './ruleset-name.ts';

/** Returns the names of all rulesets of a project as they are typed, for completion. An invalid project has none; expressions are not checked. */
export async function declaredRulesets({ cwd }: Pick<Selection, 'cwd'>): Promise<readonly string[]> {
  const loaded = await loadProject({ cwd, checkExpression: () => [] });
  if (loaded.kind === 'invalid') {
    return [];
  }
  const names = loaded.project.scopes.flatMap(({ rulesets }) =>
    rulesets.map(({ address }) => typed(address)),
  );
  return [...new Set(names)].sort();
}

function typed(address: RulesetAddress): string {
  return rulesetNameText(address.kind === 'custom' ? { ...address, slug: slug(address.name) } : address);
}
