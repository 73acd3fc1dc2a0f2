import { isOwnedRef } from '../../model/owned-ref.ts';
import { isNamed } from '../../model/rule.ts';
import { matchesStars } from '../../model/star-pattern.ts';
import type { RuleOwnership } from '../../model/ruleset.ts';

/**
 * Whether a live rule is ours to change. With `patterns`, a rule whose `ref` equals its `id` was named
 * by nobody and never matches.
 */
export function owns(ownership: RuleOwnership, rule: { readonly id: string; readonly ref: string }): boolean {
  return ownership.kind === 'all' || (isNamed(rule) && isOwnedRef(ownership.patterns, rule.ref));
}

/** Whether a `ref` matches one of the patterns, in which `*` stands for any text. */
export function matchesAny(patterns: readonly string[], ref: string): boolean {
  return patterns.some((pattern) => matchesStars(pattern, ref));
}
