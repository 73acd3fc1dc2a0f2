import { isId } from './scope.ts';
import { matchesStars } from './star-pattern.ts';

/**
 * Whether `ownership` patterns make the rule with this `ref` ours. A `ref` that is an id belongs to a rule that nobody named (after the rule
 * was brought back under a new id, it is the old id), so only a pattern equal to the whole `ref` matches it.
 */
export function isOwnedRef(patterns: readonly string[], ref: string): boolean {
  return patterns.some((pattern) => pattern === ref || (!isId(ref) && matchesStars(pattern, ref)));
}
