import type { ConversionResult, Equivalence } from './firewall-conversion.ts';
import type { OldRateLimit, RateLimitConversion } from './old-rate-limit.ts';
import type { Scope } from './scope.ts';

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
