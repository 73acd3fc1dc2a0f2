import type { JsonValue } from './json.ts';
import type { LiveRule, RuleContent } from './rule.ts';

/** An old filter (specification 2.5, api.md 9.2). Absent texts are empty. */
export interface OldFilter {
  readonly id: string;
  readonly expression: string;
  readonly paused: boolean;
  readonly description: string;
  readonly ref: string;
}

/** An old firewall rule (specification 2.4, api.md 9.1). Absent texts are empty. */
export interface OldFirewallRule {
  readonly id: string;
  readonly action: string;
  /** What a bypass bypasses. */
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

/** How a zone orders its old rules; the interface does not tell which one it is. */
export type FirewallOrder = 'list' | 'priority';

/** Where converted rules go among custom rules that are there already. */
export type ConversionPlace = 'first' | 'last';

/** Something about a converted rule that a person should know. `not-same`: what it does is not what the old one did. */
export interface ConversionNote {
  readonly kind: 'kept' | 'not-same' | 'too-long';
  readonly message: string;
}

/** What becomes of an old rule. */
export type ConvertedRule<Old = OldFirewallRule> =
  | Conversion<Old>
  | { readonly kind: 'left'; readonly old: Old; readonly reason: string };

/** A rule that was converted. */
export interface Conversion<Old = OldFirewallRule> {
  readonly kind: 'converted';
  readonly old: Old;
  readonly ref: string;
  readonly content: RuleContent;
  readonly notes: readonly ConversionNote[];
}

/** How old rules become custom rules. */
export interface ZoneConversion {
  readonly kind: 'converted';
  /** What showed that old rules live beside custom rules. */
  readonly world: string;
  readonly order: FirewallOrder;
  readonly orderReason: string;
  readonly place: ConversionPlace;
  readonly placeReason: string;
  /** In the order of execution. */
  readonly rules: readonly ConvertedRule[];
  /** Custom rules that have nothing to do with old rules; they stay as they are. */
  readonly existing: readonly LiveRule[];
  /** What concerns the zone as a whole. */
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

/** What happens to a request, as far as the rules of a world decide it. */
export interface RequestOutcome {
  /** The action that ended it, and the rule, a converted one by its new `ref`; null when it went on. */
  readonly end: { readonly action: string; readonly rule: string } | null;
  /** Rules that acted on it, and so are in its events. */
  readonly acted: readonly string[];
  /** Products and phases that it passed over; nothing when it ended. */
  readonly skipped: readonly string[];
}

/** A request that the two worlds treat differently. `events`: only which rules are in the events. */
export interface WorldDifference {
  readonly kind: 'outcome' | 'events';
  readonly request: Readonly<Record<string, JsonValue>>;
  readonly before: RequestOutcome;
  readonly after: RequestOutcome;
}

/** Clauses that were true in one request and false in another, of all; and those that were not. */
export interface ClauseCoverage {
  readonly clauses: number;
  readonly exercised: number;
  /** `name`: of the rule; `text`: the clause that was not both true and false. */
  readonly missed: readonly { readonly name: string; readonly text: string }[];
}

/** What came of evaluating both worlds. */
export interface Equivalence {
  readonly requests: number;
  readonly coverage: ClauseCoverage;
  readonly differences: readonly WorldDifference[];
}

/** What an old rule is called in messages: its description, else its ref, else its id. */
export function oldRuleName({ id, description, ref }: OldFirewallRule): string {
  return description !== '' ? description : ref !== '' ? ref : id;
}
