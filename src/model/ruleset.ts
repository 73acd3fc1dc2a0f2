import type { Ignored } from './ignored.ts';
import { rulesetReferences } from './references.ts';
import type { DesiredRule, LiveRule, RuleContent } from './rule.ts';
import type { Cause } from './source.ts';
import type { Base } from './base.ts';
import type { ScopeKind } from './scope.ts';

/** Kinds of rulesets (api.md 3.1). */
export type RulesetKind = 'managed' | 'custom' | 'root' | 'zone';

/** The kind of the entry points of a zone and of an account (api.md 3.1). */
export const ENTRYPOINT_KIND = { zone: 'zone', account: 'root' } as const satisfies Record<
  ScopeKind,
  RulesetKind
>;

/** A ruleset as the service lists it: without rules. */
export interface LiveRulesetHead {
  readonly id: string;
  readonly name: string;
  readonly description: string;
  readonly kind: RulesetKind;
  readonly phase: string;
  /** Decimal text, increased by one with each change (api.md 6.2). */
  readonly version: string;
  /** RFC 3339; "" when the service gave none. */
  readonly lastUpdated: string;
}

/** A ruleset as the service holds it. */
export interface LiveRuleset extends LiveRulesetHead {
  readonly rules: readonly LiveRule[];
}

/** Which rules of a ruleset are ours: all, or those whose `ref` matches one of the patterns (`*` is any text). */
export type RuleOwnership =
  | { readonly kind: 'all' }
  | { readonly kind: 'patterns'; readonly patterns: readonly string[] };

/** What a declared ruleset is: the entry point of a phase, or a custom ruleset by name. */
export type RulesetAddress =
  | { readonly kind: 'entrypoint'; readonly phase: string }
  | { readonly kind: 'custom'; readonly phase: string; readonly name: string };

/** Identifies an address; a custom ruleset is known by name and phase. */
export function addressKey(address: RulesetAddress): string {
  return address.kind === 'entrypoint' ? address.phase : `${address.phase}/${address.name}`;
}

/** Returns the address under which files declare a live ruleset. */
export function addressOfRuleset({ kind, phase, name }: LiveRulesetHead): RulesetAddress {
  return kind === 'custom' ? { kind, phase, name } : { kind: 'entrypoint', phase };
}

/**
 * Where our rules stand among rules of others: before all of them; after all of them; or, when the file does not say (`any`), where they are
 * live; if none of ours is, last.
 */
export type PlaceAmongOthers = 'first' | 'last' | 'any';

export interface DesiredRuleset {
  readonly address: RulesetAddress;
  /** `absent` asks for a custom ruleset to be deleted. */
  readonly presence: 'present' | 'absent';
  /** Absent when the file gives none: the live description then stays. */
  readonly description?: string;
  readonly rules: readonly DesiredRule[];
  readonly ownership: RuleOwnership;
  readonly place: PlaceAmongOthers;
  /** Differences from the files that are tolerated; absent when there are none. */
  readonly ignore?: readonly Ignored[];
  readonly cause: Cause;
}

/** Whether any rule of a ruleset names a custom ruleset by name, any ruleset, or a list of the account. */
interface RulesetFacts {
  readonly namesCustom: boolean;
  readonly namesRulesets: boolean;
  readonly namesLists: boolean;
}

/** Returns the base of a step planned from a ruleset as it was read; null: there is none. */
export function baseOf(live: LiveRulesetHead | null): Base {
  return live === null
    ? { kind: 'absent' }
    : { kind: 'version', id: live.id, version: live.version, lastUpdated: live.lastUpdated };
}

/** Whether any of these rules names a custom ruleset as `custom:<slug>`. */
function namesCustom(rules: readonly { readonly content: RuleContent }[]): boolean {
  return rules.some(({ content }) => rulesetReferences(content).some((name) => name.startsWith('custom:')));
}

/** Whether any of these rules names a ruleset. */
export function namesRulesets(rules: readonly { readonly content: RuleContent }[]): boolean {
  return rules.some(({ content }) => rulesetReferences(content).length > 0);
}

/** Returns what the rules of a ruleset name. */
export function referenceFacts({ rules }: DesiredRuleset): RulesetFacts {
  return {
    namesCustom: namesCustom(rules),
    namesRulesets: namesRulesets(rules),
    namesLists: rules.some(({ lists }) => lists !== undefined),
  };
}
