import type { DesiredRule } from '../model/rule.ts';
import type { DesiredRuleset } from '../model/ruleset.ts';
import type { DesiredScope } from '../model/state.ts';

/** Returns the document of the desired state, with packs and variables expanded: `schemas/desired.schema.json`. */
export function desiredDocument(scopes: readonly DesiredScope[]) {
  return { kind: 'desired', formatVersion: 1, scopes: scopes.map(scopeOf) };
}

function scopeOf({ scope, labels = {}, tokenEnv, rulesetOwnership, rulesets, cause }: DesiredScope) {
  return { scope, labels, tokenEnv, rulesetOwnership, rulesets: rulesets.map(rulesetOf), cause };
}

function rulesetOf(ruleset: DesiredRuleset) {
  const { address, presence, description, ownership, place, ignore = [], rules, cause } = ruleset;
  return { ...address, presence, description, ownership, place, ignore, rules: rules.map(ruleOf), cause };
}

function ruleOf({ ref, id, adopt, content, lists = [], cause }: DesiredRule) {
  return { ref, id, adopt, content, lists: lists.map(({ name, holds }) => ({ name, holds })), cause };
}
