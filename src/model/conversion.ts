import type { ConversionResult, Equivalence } from './firewall-conversion.ts';
import type { OldRateLimit, RateLimitConversion } from './old-rate-limit.ts';
import type { Scope } from './scope.ts';

/** What old things of a zone were converted to. */
export interface Conversion<Result = unknown> {
  readonly scope: Scope;
  readonly result: Result;
  /** Whether both worlds do the same, of a conversion of two lists. */
  readonly equivalence: Equivalence | null;
  /** The zone file; null where there is nothing to write, or the conversion was refused. */
  readonly yaml: string | null;
}

/** Where the zone file of a conversion went. */
export interface ConversionFile {
  /** The file that was written; null when none was asked for. */
  readonly file: string | null;
  /** Where the project declares the phase of this zone already, as `file:line`; null where it does not. */
  readonly claim: string | null;
}

/** What came of a conversion. */
export interface FirewallConversion extends Conversion<ConversionResult> {
  /** Live rules that no ownership pattern of the project matches: they stay out of the file. */
  readonly foreign: number;
}

/** Old rate limits of a zone. */
export interface RateLimitsReport {
  readonly scope: Scope;
  readonly limits: readonly OldRateLimit[];
}

/** What came of their conversion. */
export interface ConvertedRateLimits extends RateLimitsReport, Conversion<RateLimitConversion> {}
