import type { Diagnostic } from './diagnostic.ts';
import type { JsonValue } from './json.ts';
import type { ScopeRef } from './scope.ts';
import type { Cause, SourceSpan } from './source.ts';

/**
 * What a rule says of a request: it acts; it is a rate limit that counts and does not act yet; its expression is false; a
 * skip rule passes it over; it is not enabled; the request ended before it; it matches and what it runs is known to the
 * service only; its expression cannot be evaluated here.
 */
export type VerdictKind =
  | 'matched'
  | 'counted'
  | 'missed'
  | 'skipped'
  | 'disabled'
  | 'unreached'
  | 'opaque'
  | 'undecided';

/** A field or call that a clause looks at, and its value. */
export interface Observation {
  readonly name: string;
  /** As JSON; null for a missing value. */
  readonly value: JsonValue;
  /** Whether nobody gave the value: it is the usual one of a plain request. */
  readonly assumed: boolean;
}

/** A condition inside of an expression, and whether it holds. */
export interface Clause {
  readonly kind: 'and' | 'or' | 'xor' | 'not' | 'test';
  /** Canonical text. */
  readonly text: string;
  readonly holds: boolean;
  /** The parts of a joined or negated condition. */
  readonly clauses: readonly Clause[];
  /** What a test looks at. */
  readonly observed: readonly Observation[];
}

/** Where a rule stands: its ruleset, and how it is called there. */
export interface RulePlace {
  readonly scope: ScopeRef;
  readonly phase: string;
  /** Name of the custom ruleset; null for a rule of an entry point. */
  readonly ruleset: string | null;
  /** The `ref`, else the description, else its number in the ruleset. */
  readonly rule: string;
  readonly action: string;
  /** Where the files declare it; null when they do not. */
  readonly cause: Cause | null;
}

/** What one rule says of a request. */
export interface RuleVerdict extends RulePlace {
  readonly verdict: VerdictKind;
  /** Whether the request, or in the phases of responses the phase, ends here. */
  readonly ends: boolean;
  /** What is to be said of the verdict; "" when it speaks for itself. */
  readonly why: string;
  /** What the verdict takes for granted, such as a list that nobody gave. */
  readonly assumes: readonly string[];
  /** Which clauses make it true or false, when that was asked for and there is an expression to look at. */
  readonly clause: Clause | null;
}

/** How a request ended before it reached the origin. */
export interface WayEnd extends RulePlace {
  /** Status code of the answer, where the rule says it or the action has one. */
  readonly status: number | null;
  /** Where a redirect leads. */
  readonly location: string | null;
}

/** A setting that rules leave, such as `cache: false`. */
export interface SettingLeft {
  readonly phase: string;
  readonly name: string;
  readonly value: JsonValue;
  readonly rule: string;
}

/** A header with its values, in order. */
export interface HeaderLine {
  readonly name: string;
  readonly values: readonly string[];
}

/** Something on a request's way that is not simulated, and may decide otherwise than what is. */
export type NotSimulated =
  /** Rules of a ruleset that `ownership` leaves to others: only live has them. */
  | {
      readonly kind: 'rules-of-others';
      readonly scope: ScopeRef;
      readonly phase: string;
      /** Name of a custom ruleset; null for an entry point. */
      readonly ruleset: string | null;
    }
  /** Phases that the files do not declare: live may have rules there. */
  | { readonly kind: 'phases'; readonly scope: ScopeRef; readonly phases: readonly string[] }
  /** The rules of the account above the zone, which are not known. */
  | { readonly kind: 'account' }
  /** What rules take for granted that nobody said, such as a list that nobody gave. */
  | { readonly kind: 'assumption'; readonly assumed: string }
  /** A rule that matches and runs what the service alone knows, or one that cannot be evaluated. */
  | ({ readonly kind: 'rule'; readonly why: string } & RulePlace);

/** Where the rules of a way come from. */
export type RulesSource = 'files' | 'live';

/** A request's way through the phases. */
export interface RequestWay {
  readonly source: RulesSource;
  /** In the order in which rules run; rules of a custom ruleset stand behind the rule that executes it. */
  readonly verdicts: readonly RuleVerdict[];
  /** Null when no rule that is simulated ends the request. */
  readonly end: WayEnd | null;
  /** Whether nothing that is not simulated can end the request, or keep it from its end. */
  readonly certain: boolean;
  /** What the request came by that is not simulated, each kind together, and in a kind in the order of the phases. */
  readonly notSimulated: readonly NotSimulated[];
  /** The rule that answers with an error page of its own; null for none. */
  readonly errorPage: WayEnd | null;
  readonly method: string;
  /** As the request came in. */
  readonly url: string;
  /** As the origin sees it, or as it was when the request ended. */
  readonly urlAtOrigin: string;
  readonly headers: readonly HeaderLine[];
  /** Those that rules changed on the way; without values when they took one away. */
  readonly changedHeaders: readonly HeaderLine[];
  /** As the visitor sees it; null when no response was given, or the request ended before. */
  readonly response: { readonly status: number; readonly headers: readonly HeaderLine[] } | null;
  readonly settings: readonly SettingLeft[];
  /** Products outside of rulesets that skip rules switch off, such as `bic`. */
  readonly skippedProducts: readonly string[];
}

/** Something that was expected and did not come true. */
export interface Mismatch {
  /** Key of the expectation, such as `action` or `rules.block-admin`. */
  readonly key: string;
  readonly message: string;
}

/** What became of a rule test. */
export interface RuleTestResult {
  readonly file: string;
  readonly name: string;
  readonly where: SourceSpan;
  readonly passed: boolean;
  readonly mismatches: readonly Mismatch[];
  readonly way: RequestWay;
}

/** A test that could not run, or a whole file of them: then it has no name. */
export interface RuleTestError {
  readonly file: string;
  readonly name: string | null;
  /** Why. */
  readonly findings: readonly Diagnostic[];
}

/** What became of all rule tests, in the order of the files. */
export interface RuleTestReport {
  readonly tests: readonly RuleTestResult[];
  readonly errors: readonly RuleTestError[];
}

/** How an assumption begins that a list is empty; its name with `$` is the rest. */
export const EMPTY_LIST = 'nothing is in the list ';
