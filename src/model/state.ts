import type {
  DesiredRuleset,
  LiveRuleset,
  LiveRulesetHead,
  RuleOwnership,
  RulesetAddress,
  RulesetOutline,
} from './ruleset.ts';
import type { Labels, Scope, ScopeRef } from './scope.ts';
import type { Cause } from './source.ts';

/** The declaration of one scope in the files, with its rulesets in the form of `Ruleset`. */
export interface ScopeOf<Ruleset> {
  readonly scope: ScopeRef;
  /** Name of the environment variable that holds this scope's token, when it is not the usual one. */
  readonly tokenEnv?: string | undefined;
  /** Where the files name the token variable. */
  readonly tokenCause?: Cause | undefined;
  /**
   * Whether custom rulesets that the files do not name are left alone (`declared`) or deleted (`all`). `everything`: undeclared entry points
   * are unwanted too, to show what nobody manages; never used for a plan that could be applied.
   */
  readonly rulesetOwnership: 'declared' | 'all' | 'everything';
  /** Which rules of custom rulesets that the files do not name are ours, where `all` deletes these; absent: all of them. */
  readonly ruleOwnership?: RuleOwnership;
  readonly rulesets: readonly Ruleset[];
  /** Labels for selecting the scope; absent when the files give none. */
  readonly labels?: Labels;
  /** The files that declare the scope, relative to the project folder; absent when none does. */
  readonly files?: readonly string[];
  readonly cause: Cause;
}

/** Everything the files want of one scope. */
export type DesiredScope = ScopeOf<DesiredRuleset>;

/** A scope whose rules are read only when its turn comes. */
export type ScopeOutline = ScopeOf<RulesetOutline>;

/** A scope with or without its rules; reading its live state needs only an outline. */
export type DeclaredScope = ScopeOf<DesiredRuleset | RulesetOutline>;

/** What is live at the address of a declared ruleset. Absence is proven, never inferred from a failed read. */
export type LiveSlot =
  | { readonly kind: 'present'; readonly ruleset: LiveRuleset }
  | { readonly kind: 'absent' };

/** The live state of one ruleset. */
export interface LiveEntry {
  readonly address: RulesetAddress;
  readonly slot: LiveSlot;
}

/** The live state of one scope, as far as its desired state needs it. */
export interface LiveScope {
  readonly scope: Scope;
  /** One entry for each declared ruleset, and for each other ruleset that is unwanted. */
  readonly entries: readonly LiveEntry[];
  /** Heads of all rulesets that rules of the scope can refer to: managed rulesets, and the scope's custom rulesets. */
  readonly catalogue: readonly LiveRulesetHead[];
  /**
   * Undeclared rulesets that were read: those of a phase in which a custom ruleset is to be deleted, since their rules may name it, and custom
   * rulesets that changed rules execute.
   */
  readonly users?: readonly LiveRuleset[];
  /** Undeclared rulesets that the list of the scope has and nobody wanted to see; absent where the list was not read. */
  readonly undeclared?: readonly RulesetAddress[];
  /** Undeclared rulesets that were to be shown and could not be read. */
  readonly unseen?: readonly UnseenRuleset[];
}

/** A ruleset of which only the address is known, and why. */
export interface UnseenRuleset {
  readonly address: RulesetAddress;
  readonly reason: string;
}
