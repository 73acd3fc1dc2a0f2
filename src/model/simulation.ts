import type { JsonValue } from '../data/index.ts';
import type { Diagnostic } from './diagnostic.ts';
import type { ScopeRef } from './scope.ts';
import type { Cause, SourceSpan } from './source.ts';

/**
 * The verdict of a rule on a request. `matched`: the rule acts; `counted`: it is a rate limit that counts and does not act yet; `missed`: its
 * expression is false; `skipped`: a skip rule passed it over; `disabled`: it is not enabled; `unreached`: the request ended before it;
 * `opaque`: only the service knows what it runs, or whether a list of redirects has the URL; `undecided`: its expression cannot be evaluated here.
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

/** A field or call that a clause evaluates, and its value. */
export interface Observation {
  readonly name: string;
  /** As JSON; null for a missing value. */
  readonly value: JsonValue;
  /** Whether the value was not given, but is the usual one of a plain request. */
  readonly assumed: boolean;
}

/** A condition within an expression, and whether it holds. */
export interface Clause {
  readonly kind: 'and' | 'or' | 'xor' | 'not' | 'test';
  /** Canonical text. */
  readonly text: string;
  /** Null where only the service can look that up in a list of redirects. */
  readonly holds: boolean | null;
  /** The parts of a joined or negated condition. */
  readonly clauses: readonly Clause[];
  /** The values that a test evaluates. */
  readonly observed: readonly Observation[];
}

/** Where a rule stands, and how it is called there. */
export interface RulePlace {
  readonly scope: ScopeRef;
  readonly phase: string;
  /** Name of the custom ruleset; null for a rule of an entry point. */
  readonly ruleset: string | null;
  /** The `ref`, else the description, else its number in the ruleset. */
  readonly rule: string;
  readonly action: string;
  /** Where the files declare the rule; null when they do not. */
  readonly cause: Cause | null;
}

/** The verdict of one rule on a request. */
export interface RuleVerdict extends RulePlace {
  readonly verdict: VerdictKind;
  /** Whether evaluation ends here: of the request, or in response phases of the phase. */
  readonly ends: boolean;
  /** Explanation of the verdict; "" when it needs none. */
  readonly why: string;
  /** What the verdict assumes, such as that a list which nobody gave is empty. */
  readonly assumes: readonly string[];
  /** The clauses that decide the verdict, when asked for and the rule has an expression to evaluate. */
  readonly clause: Clause | null;
}

/** How a request ended before reaching the origin. */
export interface WayEnd extends RulePlace {
  /** Status code of the answer, when the rule sets it or the action has a fixed one. */
  readonly status: number | null;
  /** Where a redirect leads. */
  readonly location: string | null;
}

/** A setting as rules have set it in the end, such as `cache: false`. */
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

/** Something on a request's way that is not simulated and may change the result. */
export type NotSimulated =
  /** Rules of a ruleset that `ownership` leaves to others: they exist only live. */
  | {
      readonly kind: 'rules-of-others';
      readonly scope: ScopeRef;
      readonly phase: string;
      /** Name of a custom ruleset; null for an entry point. */
      readonly ruleset: string | null;
    }
  /** Phases that the files do not declare: live may have rules there. */
  | { readonly kind: 'phases'; readonly scope: ScopeRef; readonly phases: readonly string[] }
  /** Settings of the zone that may block, challenge, redirect or turn away requests, whatever its rules say. */
  | {
      readonly kind: 'settings';
      readonly scope: ScopeRef;
      readonly settings: readonly {
        readonly setting: string;
        readonly value: JsonValue;
      }[];
    }
  /** The rules of the zone's account, which are not known. */
  | { readonly kind: 'account' }
  /** What a zone has in an interface of before the rulesets, if it is in force, or cannot be read. */
  | ({ readonly kind: 'old-rules'; readonly scope: ScopeRef } & OldRules)
  /** Something that verdicts assume since nobody said it, such as that an unknown list is empty. */
  | { readonly kind: 'assumption'; readonly assumed: string }
  /** A rule that matches and runs what only the service knows, or that cannot be evaluated. */
  | ({ readonly kind: 'rule'; readonly why: string } & RulePlace);

/** What requests to a zone meet beside its rulesets, as old interfaces show it: none of it is simulated. */
export interface OldRules {
  readonly old: 'firewall-rules' | 'rate-limits' | 'waf';
  readonly state: 'in-force' | 'unread';
}

/** Where the simulated rules come from. */
export type RulesSource = 'files' | 'live';

/** A request's way through the phases. */
export interface RequestWay {
  readonly source: RulesSource;
  /** In the order in which rules run; the rules of a custom ruleset come after the rule that executes it. */
  readonly verdicts: readonly RuleVerdict[];
  /** Null when no simulated rule ends the request. */
  readonly end: WayEnd | null;
  /** Whether the result is certain: nothing that is not simulated can end the request or prevent its end. */
  readonly certain: boolean;
  /** What on the way is not simulated: grouped by kind, within a kind in phase order. */
  readonly notSimulated: readonly NotSimulated[];
  /** The rule that answers with its own error page; null for none. */
  readonly errorPage: WayEnd | null;
  readonly method: string;
  /** URL as the request came in. */
  readonly url: string;
  /** URL as the origin sees it, or as it was when the request ended. */
  readonly urlAtOrigin: string;
  readonly headers: readonly HeaderLine[];
  /** Headers that rules changed on the way; a removed header has no values. */
  readonly changedHeaders: readonly HeaderLine[];
  /** The response as the visitor sees it; null when none was given, or the request ended before. */
  readonly response: { readonly status: number; readonly headers: readonly HeaderLine[] } | null;
  readonly settings: readonly SettingLeft[];
  /** Products outside of rulesets that skip rules switch off, such as `bic`. */
  readonly skippedProducts: readonly string[];
  /** IANA name of the time zone of the project; absent for UTC. */
  readonly timeZone?: string;
  /** When the request is made, in seconds since 1970, or that nobody said when; absent where no rule asks for the time. */
  readonly at?: number | 'not said';
}

/** An expectation that was not met. */
export interface Mismatch {
  /** Key of the expectation, such as `action` or `rules.block-admin`. */
  readonly key: string;
  readonly message: string;
}

/** The result of a rule test. */
export interface RuleTestResult {
  readonly file: string;
  readonly name: string;
  readonly where: SourceSpan;
  readonly passed: boolean;
  readonly mismatches: readonly Mismatch[];
  readonly way: RequestWay;
}

/** A rule test that could not run, or a whole file of them (`name` is null then). */
export interface RuleTestError {
  readonly file: string;
  readonly name: string | null;
  readonly findings: readonly Diagnostic[];
}

/** The results of all rule tests, in the order of the files. */
export interface RuleTestReport {
  readonly tests: readonly RuleTestResult[];
  readonly errors: readonly RuleTestError[];
}

/** Beginning of the assumption that a list is empty; the list's name with `$` follows. */
export const EMPTY_LIST = 'nothing is in the list ';
