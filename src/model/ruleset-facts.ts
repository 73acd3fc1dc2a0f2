import { namesCustom, namesRulesets } from './ruleset-references.ts';
import type { DesiredRuleset, RulesetFacts, RulesetOutline } from './ruleset.ts';

/** Returns what the rules of a ruleset name, from the rules themselves or from the ruleset's outline. */
export function factsOf(ruleset: DesiredRuleset | RulesetOutline): RulesetFacts {
  if (!('rules' in ruleset)) {
    return ruleset;
  }
  const { rules } = ruleset;
  return {
    namesCustom: namesCustom(rules),
    namesRulesets: namesRulesets(rules),
    namesLists: rules.some(({ lists }) => lists !== undefined),
  };
}
