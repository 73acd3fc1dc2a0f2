import { isId } from './scope.ts';
import { matchesStars } from './star-pattern.ts';

/**
 * Whether patterns of `ownership` say that a `ref` is ours. One that is an id is the name of a rule that nobody named, from before it was
 * brought back under a new id: only a pattern that spells it out means it.
 */
export function isOwnedRef(patterns: readonly string[], ref: string): boolean {
  return patterns.some((pattern) => pattern === ref || (!isId(ref) && matchesStars(pattern, ref)));
}
