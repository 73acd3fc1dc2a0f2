import type { LiveRuleset } from './ruleset.ts';

/** Name of the lock file; it lies beside the project file. */
export const LOCK_FILE = 'rulewright.lock';

/** The rules of one managed ruleset that the project's overrides applied to when the lock was written. */
export interface LockedRuleset {
  readonly id: string;
  readonly name: string;
  readonly version: string;
  /** Ids of managed rules by the selector that applied to them: `ruleset`, `rules`, or `category` and its name. */
  readonly meets: ReadonlyMap<string, readonly string[]>;
}

/** Which managed rules a project's overrides applied to, so that later additions and removals by the vendor can be reported. */
export interface ManagedLock {
  readonly rulesets: readonly LockedRuleset[];
}

/** The result of looking up a managed ruleset. */
export type ManagedLookUp =
  | { readonly kind: 'found'; readonly ruleset: LiveRuleset }
  | { readonly kind: 'failed'; readonly message: string };

/** The result of writing a lock. */
export interface LockReport {
  readonly kind: 'locked';
  readonly lock: ManagedLock;
  /** Whether the file changed. */
  readonly written: boolean;
}
