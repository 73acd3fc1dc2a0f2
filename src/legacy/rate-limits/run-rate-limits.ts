import type { ScopeRef } from '../../model/index.ts';
import type { CliContext, ExitCode } from '../../cli/index.ts';
import type { ZoneListFlags, RetireFlags } from '../legacy-flags.ts';
import { runZoneList } from '../run-zone-list.ts';
import { runConversion } from '../run-conversion.ts';
import { runRetirement } from '../run-retirement.ts';
import { rateLimitConversionText, rateLimitsText } from './rate-limits-report.ts';
import { convertZoneRateLimits, listRateLimits, planRetiredRateLimits } from './rate-limits-zone.ts';
import type { RateLimitsConvertFlags } from '../legacy-flags.ts';

/** Lists old rate limits. */
export function runRateLimitsList(
  context: CliContext,
  flags: ZoneListFlags,
  ...zones: readonly ScopeRef[]
): Promise<ExitCode> {
  return runZoneList(
    { context, flags, zones },
    {
      read: listRateLimits,
      kind: 'rate-limits',
      things: 'old rate limits',
      isEmpty: ({ limits }) => limits.length === 0,
      text: rateLimitsText,
      facts: ({ scope, limits }) => ({ scope, limits }),
    },
  );
}

/** Converts old rate limits; writes a file or prints the YAML, and reports what is lost. */
export function runRateLimitsConvert(
  context: CliContext,
  flags: RateLimitsConvertFlags,
  zone: ScopeRef,
): Promise<ExitCode> {
  const fitPlan = flags.fitPlan === true;
  return runConversion(
    { context, flags, zone },
    {
      phase: 'http_ratelimit',
      convert: (choice, options, report) => convertZoneRateLimits({ ...choice, fitPlan }, options, report),
      text: rateLimitConversionText,
      kind: 'rate-limit-conversion',
    },
  );
}

/** Deletes old rate limits whose conversion is live and equal. */
export function runRateLimitsRetire(
  context: CliContext,
  flags: RetireFlags,
  zone: ScopeRef,
): Promise<ExitCode> {
  return runRetirement(
    { context, flags, zone },
    { again: (name) => ['ratelimits', 'retire', name], plan: planRetiredRateLimits },
  );
}
