import type { Value, Values } from '../expression/index.ts';
import type { JsonValue } from '../data/index.ts';
import type { ScopeRef, OldRules, RulesSource, Skip } from '../model/index.ts';
import type { SimulatedRule } from './scope-rules.ts';
import type { ZoneFacts } from './request-values.ts';

/** Computes a text of a rule; undefined for a missing value. */
export type Compute = (values: Values) => Value | undefined;

/** A change of a header that a rule computes. */
export interface HeaderEffect {
  readonly name: string;
  readonly operation: 'add' | 'set' | 'remove';
  readonly value: Compute;
}

/** The effect of a rule that matches. */
export type Effect =
  | { readonly kind: 'block'; readonly status: number }
  | { readonly kind: 'challenge' }
  | {
      readonly kind: 'redirect';
      readonly status: number;
      readonly target: Compute;
      readonly preservesQuery: boolean;
    }
  | { readonly kind: 'error-page'; readonly status: number | null }
  | { readonly kind: 'skip'; readonly skip: Skip }
  | { readonly kind: 'execute'; readonly reference: string }
  | { readonly kind: 'rewrite-url'; readonly path: Compute | undefined; readonly query: Compute | undefined }
  | { readonly kind: 'rewrite-headers'; readonly headers: readonly HeaderEffect[] }
  | { readonly kind: 'settings'; readonly settings: readonly (readonly [name: string, value: JsonValue])[] }
  | { readonly kind: 'note' }
  | { readonly kind: 'opaque'; readonly why: string };

/** A rule, compiled for evaluation. */
export interface PreparedRule {
  readonly rule: SimulatedRule;
  readonly name: string;
  /** Whether the rule matches; undefined where that depends on a list of redirects or on `newFields`, which only the service knows. */
  readonly test: (values: Values) => boolean | undefined;
  /** Why the expression cannot be evaluated; undefined when it can. */
  readonly undecidable: string | undefined;
  /** Fields of a newer service that the expression tests. */
  readonly newFields: readonly string[];
  /** Of records: what it depends on where `test` is undefined. */
  readonly missing?: ((values: Values) => readonly string[]) | undefined;
  readonly effect: Effect;
  /** Why the rule's effect cannot be computed; undefined when it can. */
  readonly ineffective: string | undefined;
  /** For a rate limit: how many requests, or how much of a score, it allows in a period. */
  readonly limit: number | undefined;
  readonly assumes: readonly string[];
}

/** A ruleset with its compiled rules. */
export interface PreparedRuleset {
  readonly scope: ScopeRef;
  readonly phase: string;
  /** The name of a custom ruleset; null for an entry point. */
  readonly name: string | null;
  /** How rules refer to the ruleset; undefined for an entry point. */
  readonly reference: string | undefined;
  /** Whether the live ruleset may also have rules that others own. */
  readonly holdsOthers: boolean;
  readonly rules: readonly PreparedRule[];
}

/** The compiled rulesets of a scope: its entry points by phase, its custom rulesets by phase and reference. */
export interface PreparedScope {
  readonly scope: ScopeRef;
  readonly entrypoints: ReadonlyMap<string, PreparedRuleset>;
  readonly custom: ReadonlyMap<string, PreparedRuleset>;
}

/** Returns the key of a custom ruleset in `PreparedScope.custom`. */
export function customKey(phase: string, reference: string): string {
  return `${phase} ${reference}`;
}

/** The rules for requests to a zone: those of its account, when it is known, and its own. */
export interface PreparedZone {
  readonly zone: ZoneFacts;
  /** In the order in which their entry points run in each phase: the account before the zone (api.md 4.3). */
  readonly scopes: readonly PreparedScope[];
  /** Where the rules come from. Files may leave phases to others; in live rules, what is missing does not exist. */
  readonly source: RulesSource;
  /** What the zone has beside rulesets, where somebody looked. */
  readonly old?: readonly OldRules[] | undefined;
}
