import { isOwnedRef } from '../../model/owned-ref.ts';
import { matchesStars } from '../../model/star-pattern.ts';
import type { RuleOwnership } from '../../model/ruleset.ts';

/** Whether a live rule is ours to change. With `patterns`, a nameless rule is ours only if a pattern equals its `ref`. */
export function owns(ownership: RuleOwnership, rule: { readonly ref: string }): boolean {
  return ownership.kind === 'all' || isOwnedRef(ownership.patterns, rule.ref);
}

/** Whether a `ref` matches one of the patterns, in which `*` stands for any text. */
export function matchesAny(patterns: readonly string[], ref: string): boolean {
  return patterns.some((pattern) => matchesStars(pattern, ref));
}
