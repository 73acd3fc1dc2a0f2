import type { RulesetTarget, Scope } from '../../model/index.ts';
import { rulesetName, scopeLabel } from '../../model/index.ts';
import { addressOf } from '../../plan/index.ts';
import { shellWord } from '../../text/index.ts';

/** Returns a command about the versions of a ruleset. */
export function versionCommand(
  command: 'rollback' | 'versions',
  {
    scope,
    target,
    option,
  }: { readonly scope: Scope; readonly target: RulesetTarget; readonly option: string },
): string {
  return `rulewright ${command} ${shellWord(scopeLabel(scope))} ${rulesetName(addressOf(target))} ${option}`;
}
