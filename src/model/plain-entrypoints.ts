import { factsOf } from './ruleset-facts.ts';
import type { RulesetAddress } from './ruleset.ts';
import type { DeclaredScope } from './state.ts';

/** The address of an entry point. */
export type EntrypointAddress = Extract<RulesetAddress, { readonly kind: 'entrypoint' }>;

/**
 * Returns the declared entry points of a scope if nothing else has to be read for it: the files declare only entry points, and their rules name
 * no other ruleset. Null for every other scope.
 */
export function plainEntrypoints({
  rulesets,
  rulesetOwnership,
}: DeclaredScope): readonly EntrypointAddress[] | null {
  const addresses = rulesets.flatMap((ruleset) =>
    ruleset.address.kind === 'entrypoint' && !factsOf(ruleset).namesRulesets ? [ruleset.address] : [],
  );
  return rulesetOwnership === 'declared' && rulesets.length > 0 && addresses.length === rulesets.length
    ? addresses
    : null;
}
