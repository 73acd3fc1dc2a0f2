import type { Value, Values } from '../expression/index.ts';
import type { JsonValue } from '../model/json.ts';
import type { ScopeRef } from '../model/scope.ts';
import type { SimulatedRule } from './scope-rules.ts';
import type { RulesSource } from '../model/simulation.ts';
import type { ZoneFacts } from './field-values.ts';

/** A text that a rule computes; undefined for a missing value. */
export type Compute = (values: Values) => Value | undefined;

/** What a skip rule passes over (api.md 5.4). */
export interface Skip {
  /** The rest of the ruleset that the rule stands in. */
  readonly ruleset: boolean;
  /** The rest of the phase. */
  readonly phase: boolean;
  readonly phases: readonly string[];
  /** In the form of `canonicalReference`. */
  readonly rulesets: readonly string[];
  /** Rules by the ruleset that holds them; an empty list means the whole ruleset. */
  readonly rules: ReadonlyMap<string, readonly string[]>;
  readonly products: readonly string[];
}

/** A change of a header that a rule computes. */
export interface HeaderEffect {
  readonly name: string;
  readonly operation: 'add' | 'set' | 'remove';
  readonly value: Compute;
}

/** What a rule does where it matches. */
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

/** A rule, ready to be asked. */
export interface PreparedRule {
  readonly rule: SimulatedRule;
  readonly name: string;
  readonly test: (values: Values) => boolean;
  /** Why the expression cannot be evaluated; undefined when it can. */
  readonly undecidable: string | undefined;
  readonly effect: Effect;
  /** Why what the rule does cannot be worked out; undefined when it can. */
  readonly ineffective: string | undefined;
  /** For a rate limit: how many requests it lets pass in a period. */
  readonly limit: number | undefined;
  readonly assumes: readonly string[];
}

/** A ruleset, ready to be walked through. */
export interface PreparedRuleset {
  readonly scope: ScopeRef;
  readonly phase: string;
  /** Name of a custom ruleset; null for an entry point. */
  readonly name: string | null;
  /** How it is referred to; undefined for an entry point. */
  readonly reference: string | undefined;
  /** Whether live may have rules of others beside these. */
  readonly holdsOthers: boolean;
  readonly rules: readonly PreparedRule[];
}

/** One scope, ready: its entry points by phase, its custom rulesets by phase and reference. */
export interface PreparedScope {
  readonly scope: ScopeRef;
  readonly entrypoints: ReadonlyMap<string, PreparedRuleset>;
  readonly custom: ReadonlyMap<string, PreparedRuleset>;
}

/** The key of a custom ruleset in `PreparedScope.custom`. */
export function customKey(phase: string, reference: string): string {
  return `${phase} ${reference}`;
}

/** The rules that requests to a zone meet: those of its account, when it is known, and its own. */
export interface PreparedZone {
  readonly zone: ZoneFacts;
  /** In the order in which their entry points run in each phase: the account before the zone (api.md 4.3). */
  readonly scopes: readonly PreparedScope[];
  /** Files leave phases to others; of live, what is not there does not exist. */
  readonly source: RulesSource;
}
