import type { WireObject } from '../protocol/wire-object.ts';
import type { ZonePlanLevel } from './directory-record.ts';

/** The four kinds of rulesets (api.md 3.1). */
export type StoredRulesetKind = 'managed' | 'custom' | 'root' | 'zone';

/** The part of a rule that the client decides, which a new definition replaces as a whole. */
export interface RuleDefinition {
  readonly action: string;
  readonly action_parameters?: WireObject;
  /** Absent in managed rules only. */
  readonly expression?: string;
  readonly description: string;
  readonly enabled: boolean;
  readonly ref: string;
  readonly logging?: WireObject;
  readonly ratelimit?: WireObject;
  readonly exposed_credential_check?: WireObject;
}

/** A rule as stored: immutable, and shared by all ruleset versions in which it is unchanged. */
export interface StoredRule {
  readonly id: string;
  readonly version: string;
  readonly last_updated: string;
  readonly definition: RuleDefinition;
  /** Managed rules only. */
  readonly categories?: readonly string[];
  readonly score_threshold?: number;
}

/** One version of a ruleset, immutable. */
export interface RulesetVersion {
  readonly version: string;
  readonly last_updated: string;
  readonly description: string;
  readonly rules: readonly StoredRule[];
}

/** A ruleset with all its versions, oldest first; each write replaces the whole record. */
export interface StoredRuleset {
  readonly id: string;
  /** The owner: `zones/<id>`, `accounts/<id>` or `vendor`. */
  readonly owner: string;
  readonly name: string;
  readonly kind: StoredRulesetKind;
  readonly phase: string;
  /** The highest version number ever assigned; it never decreases (api.md 6.2). */
  readonly counter: number;
  readonly versions: readonly RulesetVersion[];
  /** Managed rulesets: the plans that may execute the ruleset; absent means all. */
  readonly plans?: readonly ZonePlanLevel[];
}

/** Returns the latest version of a ruleset; throws when there is none. */
export function latest(ruleset: StoredRuleset): RulesetVersion {
  const version = ruleset.versions.at(-1);
  if (version === undefined) {
    throw new Error(`ruleset ${ruleset.id} has no version`);
  }
  return version;
}

/** Whether a ruleset is the entry point of its phase. */
export function isEntryPoint(ruleset: StoredRuleset): boolean {
  return ruleset.kind === 'root' || ruleset.kind === 'zone';
}

/** Returns the ruleset with one more version. */
export function withNextVersion(
  ruleset: StoredRuleset,
  next: {
    readonly last_updated: string;
    readonly description: string;
    readonly rules: readonly StoredRule[];
  },
): StoredRuleset {
  const counter = ruleset.counter + 1;
  return { ...ruleset, counter, versions: [...ruleset.versions, { version: String(counter), ...next }] };
}
