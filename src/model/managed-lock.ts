import type { LiveRuleset } from './ruleset.ts';

/** Name of the lock file; it lies beside the project file. */
export const LOCK_FILE = 'rulewright.lock';

/** The rules of one managed ruleset that overrides of the project met when the lock was written. */
export interface LockedRuleset {
  readonly id: string;
  readonly name: string;
  readonly version: string;
  /** Ids of managed rules by what met them: `ruleset`, `rules`, or `category` and its name. */
  readonly meets: ReadonlyMap<string, readonly string[]>;
}

/** What overrides of a project met, so that managed rules which came or went since can be told. */
export interface ManagedLock {
  readonly rulesets: readonly LockedRuleset[];
}

/** A managed ruleset as it was looked up, or why it could not be. */
export type ManagedLookUp =
  | { readonly kind: 'found'; readonly ruleset: LiveRuleset }
  | { readonly kind: 'failed'; readonly message: string };

/** What came of writing a lock. */
export interface LockReport {
  readonly kind: 'locked';
  readonly lock: ManagedLock;
  /** Whether the file changed. */
  readonly written: boolean;
}
