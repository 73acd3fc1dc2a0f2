import { factsOf } from './ruleset-facts.ts';
import type { RulesetAddress } from './ruleset.ts';
import type { DeclaredScope } from './state.ts';

/** The place of an entry point. */
export type EntrypointAddress = Extract<RulesetAddress, { readonly kind: 'entrypoint' }>;

/**
 * The entry points that are all that the files declare of a scope, when their rules name no other ruleset: nothing but
 * they has to be read then. Null for every other scope.
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
