import { factsOf } from '../../model/ruleset-facts.ts';
import type { DesiredRuleset, RulesetOutline } from '../../model/ruleset.ts';
import { referencesIn } from '../../model/sensitive.ts';
import { canonicalDigest } from '../document/digest.ts';

/** What has to be known of a ruleset while its rules are not in memory. */
export function outlineRuleset(ruleset: DesiredRuleset): RulesetOutline {
  const { address, presence, ignore, rules } = ruleset;
  return {
    address,
    presence,
    ...(ignore === undefined ? {} : { ignore }),
    ruleCount: rules.length,
    ...factsOf(ruleset),
    digest: digestOf(ruleset),
    sensitive: referencesIn(JSON.stringify(ruleset)),
  };
}

/** All that a plan depends on; not where it was written. */
function digestOf({ cause: _ruleset, rules, ignore = [], ...ruleset }: DesiredRuleset): string {
  return canonicalDigest({
    rules: rules.map(({ cause: _rule, lists: _lists, ...rule }) => rule),
    ignore: ignore.map(({ cause: _ignored, ...ignored }) => ignored),
    ...ruleset,
  });
}
