import type { ErrorFacts } from './error.ts';
import type { ScopeRef } from './scope.ts';

/** What the service's events say of a rule; the words of the document. */
type RuleUsageStatus = 'matched' | 'no_event' | 'not_measurable';

/** What the service's security events say of one rule. */
export interface RuleUsage {
  readonly scope: ScopeRef;
  readonly phase: string;
  /** Name of the custom ruleset; null for a rule of an entry point. */
  readonly ruleset: string | null;
  readonly ref: string;
  /** Present when the `ref` tells people nothing. */
  readonly description?: string;
  readonly action: string;
  readonly status: RuleUsageStatus;
  /** How many events it left, by the samples that the service keeps; null where that cannot be measured. */
  readonly events: number | null;
  /** Why it cannot be measured; null where it can be. */
  readonly reason: string | null;
  /** When its ruleset was last changed, if that was in the period: it may be younger than the period. */
  readonly changed: string | null;
}

/** A zone whose events were asked for. */
interface ZoneUsage {
  readonly name: string;
  /** The period that was asked for, within what the plan of the zone allows; null where no events can be asked for. */
  readonly period: { readonly from: string; readonly to: string } | null;
  /** How many days the service keeps events; null where none can be asked for. */
  readonly retention_days: number | null;
}

/** What the service's security events say of the rules of zones and their accounts. */
export interface UsageReport {
  readonly kind: 'usage';
  readonly formatVersion: 1;
  /** The period that was wanted. */
  readonly period: { readonly from: string; readonly to: string };
  readonly zones: readonly ZoneUsage[];
  readonly rules: readonly RuleUsage[];
  /** Zones whose rules or events could not be read. */
  readonly failed: readonly { readonly scope: ScopeRef; readonly error: ErrorFacts }[];
}
