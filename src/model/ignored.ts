import { matchesStars } from '../text/index.ts';
import type { FileCause } from './source.ts';
import { isId } from './scope.ts';

/** A difference from the files that is tolerated until a date: it is neither shown as a change nor overwritten. */
export interface Ignored {
  /** `ref` pattern of the rules concerned; `*` is any text. The `ref` of a rule that nobody named is its id. */
  readonly rule: string;
  /**
   * JSON Pointer of the field within the rule, as in plans; entries of `overrides.rules` are addressed by the id of the managed rule. Absent:
   * the whole rule, even when it exists only live.
   */
  readonly field?: string;
  readonly reason: string;
  /** The last day on which the entry is valid, `YYYY-MM-DD`. */
  readonly until: string;
  readonly cause: FileCause;
}

/**
 * Whether `ownership` patterns make the rule with this `ref` ours. A `ref` that is an id belongs to a rule that nobody named (after the rule
 * was brought back under a new id, it is the old id), so only a pattern equal to the whole `ref` matches it.
 */
export function isOwnedRef(patterns: readonly string[], ref: string): boolean {
  return patterns.some((pattern) => pattern === ref || (!isId(ref) && matchesStars(pattern, ref)));
}
