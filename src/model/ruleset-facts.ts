import { namesCustom, namesRulesets } from './ruleset-references.ts';
import type { DesiredRuleset, RulesetFacts, RulesetOutline } from './ruleset.ts';

/** What the rules of a ruleset name, from the rules themselves or as its outline has it. */
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
