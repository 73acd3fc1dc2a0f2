import type {
  DesiredRuleset,
  LiveRuleset,
  LiveRulesetHead,
  RulesetAddress,
  RulesetOutline,
} from './ruleset.ts';
import type { Labels, Scope, ScopeRef } from './scope.ts';
import type { Cause } from './source.ts';

/** What the files say of one scope, with as much of its rulesets as is known. */
export interface ScopeOf<Ruleset> {
  readonly scope: ScopeRef;
  /** Name of the environment variable that holds this scope's token, when not the usual one. */
  readonly tokenEnv?: string | undefined;
  /** Where the files name that variable. */
  readonly tokenCause?: Cause | undefined;
  /**
   * Whether custom rulesets that the files do not name are left alone or deleted. `everything`: also entry points are not wanted, to show
   * what nobody manages; no plan that could be carried out has it.
   */
  readonly rulesetOwnership: 'declared' | 'all' | 'everything';
  readonly rulesets: readonly Ruleset[];
  /** By what runs can choose it; absent when the files say nothing. */
  readonly labels?: Labels;
  /** The files that declare it, relative to the project folder; absent where none does. */
  readonly files?: readonly string[];
  readonly cause: Cause;
}

/** Everything the files want of one scope. */
export type DesiredScope = ScopeOf<DesiredRuleset>;

/** A scope of which the rules are read when its turn comes. */
export type ScopeOutline = ScopeOf<RulesetOutline>;

/** A scope with or without its rules: to read its live side, an outline is enough. */
export type DeclaredScope = ScopeOf<DesiredRuleset | RulesetOutline>;

/** What was found at the place of a declared ruleset. Absence is proven, never guessed from a failed read. */
export type LiveSlot =
  | { readonly kind: 'present'; readonly ruleset: LiveRuleset }
  | { readonly kind: 'absent' };

/** The live side of one declared ruleset. */
export interface LiveEntry {
  readonly address: RulesetAddress;
  readonly slot: LiveSlot;
}

/** What was read of one scope: as much as its desired side needs. */
export interface LiveScope {
  readonly scope: Scope;
  /** One for each declared ruleset, and each other one that is not wanted. */
  readonly entries: readonly LiveEntry[];
  /** Heads of everything the scope can refer to: managed rulesets, and its custom rulesets. */
  readonly catalogue: readonly LiveRulesetHead[];
  /**
   * Rulesets that no file declares: where a custom ruleset of their phase is to go, whose rules may name it, and custom rulesets that
   * changes execute.
   */
  readonly users?: readonly LiveRuleset[];
  /** Rulesets that no file declares, that were to be shown, and could not be read. */
  readonly unseen?: readonly UnseenRuleset[];
}

/** A ruleset of which nothing but its place is known. */
export interface UnseenRuleset {
  readonly address: RulesetAddress;
  readonly reason: string;
}
