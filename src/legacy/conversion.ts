import type { JsonValue } from '../data/index.ts';
import type { LiveRule, RuleContent, Scope } from '../model/index.ts';

/** An old filter (specification 2.5, api.md 9.2). A text that the service leaves out is empty. */
export interface OldFilter {
  readonly id: string;
  readonly expression: string;
  readonly paused: boolean;
  readonly description: string;
  readonly ref: string;
}

/** An old firewall rule (specification 2.4, api.md 9.1). A text that the service leaves out is empty. */
export interface OldFirewallRule {
  readonly id: string;
  readonly action: string;
  /** The products that a `bypass` rule bypasses. */
  readonly products: readonly string[];
  /** Lower runs first; `null` runs last. */
  readonly priority: number | null;
  readonly paused: boolean;
  readonly description: string;
  readonly ref: string;
  /** A deleted filter shows only its id (api.md 9.1). */
  readonly filter:
    | ({ readonly kind: 'filter' } & OldFilter)
    | { readonly kind: 'deleted'; readonly id: string };
}

/** How a zone orders its old rules; the service does not tell which of the two it is. */
export type FirewallOrder = 'list' | 'priority';

/** Where converted rules go relative to the custom rules that already exist. */
export type ConversionPlace = 'first' | 'last';

/** A remark about a converted rule. `not-same`: the new rule does not do what the old one did. */
export interface ConversionNote {
  readonly kind: 'kept' | 'not-same' | 'too-long';
  readonly message: string;
}

/** The result for one old rule: converted, or left out with a reason. */
export type ConvertedRule<Old = OldFirewallRule> =
  | RuleConversion<Old>
  | { readonly kind: 'left'; readonly old: Old; readonly reason: string };

/** A rule that was converted. */
export interface RuleConversion<Old = OldFirewallRule> {
  readonly kind: 'converted';
  readonly old: Old;
  readonly ref: string;
  readonly content: RuleContent;
  readonly notes: readonly ConversionNote[];
}

/** How a zone's old rules become custom rules. */
export interface ZoneConversion {
  readonly kind: 'converted';
  /** What showed that the old rules exist beside the custom rules. */
  readonly world: string;
  readonly order: FirewallOrder;
  readonly orderReason: string;
  readonly place: ConversionPlace;
  readonly placeReason: string;
  /** In the order of execution. */
  readonly rules: readonly ConvertedRule[];
  /** Custom rules unrelated to old rules; they stay as they are. */
  readonly existing: readonly LiveRule[];
  /** Warnings about the zone as a whole. */
  readonly warnings: readonly string[];
}

/** The conversion of a zone, or why there is none. */
export type ConversionResult =
  | { readonly kind: 'nothing' }
  /** The service has converted the rules itself: the custom rules are taken as they are. */
  | { readonly kind: 'one-list'; readonly reason: string }
  | {
      readonly kind: 'refused';
      readonly code: 'firewall/unclear-world' | 'firewall/order' | 'firewall/place';
      readonly message: string;
      readonly hint: string;
    }
  | ZoneConversion;

/** What the old rules or the new rules do to a request. */
export interface RequestOutcome {
  /** The action that ended the request, and the rule (a converted one by its new `ref`); null when the request went on. */
  readonly end: { readonly action: string; readonly rule: string } | null;
  /** Rules that acted on the request, and so appear in its events. */
  readonly acted: readonly string[];
  /** Products and phases that the request skipped; empty when it ended. */
  readonly skipped: readonly string[];
  /** Settings that apply to the request, as `name = value`; where rules leave any. */
  readonly settings?: readonly string[];
}

/** A request that the old and the new rules treat differently. `events`: only the rules in its events differ. */
export interface WorldDifference {
  readonly kind: 'outcome' | 'events';
  readonly request: Readonly<Record<string, JsonValue>>;
  readonly before: RequestOutcome;
  readonly after: RequestOutcome;
}

/** How many clauses were true for one request and false for another, of how many; and the clauses that were not. */
export interface ClauseCoverage {
  readonly clauses: number;
  readonly exercised: number;
  /** `name`: name of the rule; `text`: the clause that was never true or never false. */
  readonly missed: readonly { readonly name: string; readonly text: string }[];
}

/** The result of evaluating the old and the new rules on many requests. */
export interface Equivalence {
  readonly requests: number;
  readonly coverage: ClauseCoverage;
  readonly differences: readonly WorldDifference[];
}

/** Names an old rule in messages: by its description, else its ref, else its id. */
export function oldRuleName({ id, description, ref }: OldFirewallRule): string {
  return description !== '' ? description : ref !== '' ? ref : id;
}

/** The fields of an old rate limit that affect what it does (api.md 9.6). */
export interface OldRateLimit {
  readonly id: string;
  readonly disabled: boolean;
  readonly description: string;
  /** Number of requests in the period. */
  readonly threshold: number;
  /** Seconds. */
  readonly period: number;
  readonly request: {
    /** `_ALL_` stands for every method. */
    readonly methods: readonly string[];
    /** `_ALL_` stands for both schemes. */
    readonly schemes: readonly string[];
    /** Host and path with `*` as wildcard; empty when the limit names none. */
    readonly url: string;
  };
  readonly response: {
    readonly statuses: readonly number[];
    /** Whether only requests that reach the origin count. */
    readonly originTraffic: boolean;
    readonly headers: readonly { readonly name: string; readonly op: string; readonly value: string }[];
  };
  /** URLs whose requests do not count. */
  readonly bypassUrls: readonly string[];
  readonly action: {
    readonly mode: string;
    /** Seconds; `null` for challenges. */
    readonly timeout: number | null;
    readonly response: { readonly contentType: string; readonly body: string } | null;
  };
  /** `nat` counts visitors that share one address separately. */
  readonly correlateBy: string | null;
}

/** The conversion of a zone's old rate limits. */
export type RateLimitConversion =
  | { readonly kind: 'nothing' }
  | { readonly kind: 'refused'; readonly message: string; readonly hint: string }
  | {
      readonly kind: 'converted';
      readonly rules: readonly ConvertedRule<OldRateLimit>[];
      /** Existing rules; they stay as they are, before the converted ones. */
      readonly existing: readonly LiveRule[];
      readonly warnings: readonly string[];
    };

/** Names an old rate limit in messages: by its description, else its URL, else its id. */
export function rateLimitName({ id, description, request }: OldRateLimit): string {
  return description !== '' ? description : request.url !== '' ? request.url : id;
}

/** The result of converting a zone's objects of a deprecated interface. */
export interface Conversion<Result = unknown> {
  readonly scope: Scope;
  readonly result: Result;
  /** The comparison of the old and the new rules; null where none is made. */
  readonly equivalence: Equivalence | null;
  /** The zone file; null where there is nothing to write, or the conversion was refused. */
  readonly yaml: string | null;
}

/** Where the zone file of a conversion was written. */
export interface ConversionFile {
  /** The file that was written; null when none was asked for. */
  readonly file: string | null;
  /** Where the project declares the phase of this zone already, as `file:line`; null where it does not. */
  readonly claim: string | null;
}

/** The conversion of a zone's old firewall rules. */
export interface FirewallConversion extends Conversion<ConversionResult> {
  /** Live rules that no ownership pattern of the project matches: they stay out of the file. */
  readonly foreign: number;
}

/** Old rate limits of a zone. */
export interface RateLimitsReport {
  readonly scope: Scope;
  readonly limits: readonly OldRateLimit[];
}

/** The conversion of a zone's old rate limits. */
export interface ConvertedRateLimits extends RateLimitsReport, Conversion<RateLimitConversion> {}

/** Most firewall rules that are migrated without the vendor's support (specification 7.5, 8). */
export const MAX_RULES = 200;

/** Longest expression, in bytes, of a rule that is migrated without the vendor's support: 4 KB (specification 7.5, 8). */
export const MAX_EXPRESSION_LENGTH = 4096;
