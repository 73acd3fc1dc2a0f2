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

/** Managed rulesets with well-known ids, so that an id and a name can be recognised as the same ruleset (api.md 7.1). */
export const WELL_KNOWN_RULESETS: ReadonlyMap<string, string> = new Map([
  ['efb7b8c949ac4650a09736fc376e9aee', 'managed:cloudflare-managed-ruleset'],
  ['4814384a9e5d4991b9815dcfc25d2f1f', 'managed:cloudflare-owasp-core-ruleset'],
  ['c2e184081120413c86c3ab7e14069605', 'managed:cloudflare-exposed-credentials-check-ruleset'],
  ['77454fe2d30c4220b5701f6fdfb893ba', 'managed:cloudflare-managed-free-ruleset'],
  ['e22d83c647c64a3eae91b71b499d988e', 'managed:cloudflare-sensitive-data-detection'],
  ['4d21379b4f9f4bb088e0729962c8b3cf', 'managed:ddos-l7-ruleset'],
  ['70339d97bdb34195bbf054b1ebe81f76', 'managed:cloudflare-normalization-ruleset'],
]);

/** Returns the name that files use for a managed ruleset; undefined when its id is not well known. */
export function wellKnownRuleset(id: string): string | undefined {
  return WELL_KNOWN_RULESETS.get(id);
}
