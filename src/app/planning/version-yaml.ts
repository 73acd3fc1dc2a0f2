import { rulesetYaml } from '../../config/write/ruleset-yaml.ts';
import type { LiveRuleset } from '../../model/ruleset.ts';
import type { Scope } from '../../model/scope.ts';

/** A version of a ruleset as a file of ours would declare it. */
export function versionYaml(scope: Scope, ruleset: LiveRuleset): string {
  return rulesetYaml(scope, ruleset);
}
