import type { RulesetAddress } from './ruleset.ts';
import { factsOf } from './ruleset-facts.ts';
import type { DeclaredScope } from './state.ts';

/**
 * The entry point that is all that the files declare of a scope, when its rules name no other ruleset: nothing but
 * itself has to be read then. Null for every other scope.
 */
export function loneEntrypoint({ rulesets, rulesetOwnership }: DeclaredScope): RulesetAddress | null {
  const [only, ...others] = rulesets;
  return only?.address.kind === 'entrypoint' &&
    others.length === 0 &&
    rulesetOwnership === 'declared' &&
    !factsOf(only).namesRulesets
    ? only.address
    : null;
}
