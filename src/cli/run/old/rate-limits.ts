import { convertZoneRateLimits, listRateLimits, planRetiredRateLimits } from '../../../app/index.ts';
import type { ScopeRef } from '../../../model/index.ts';
import { rateLimitConversionText, rateLimitsText } from '../../../report/index.ts';
import type { CliContext } from '../../context.ts';
import type { ExitCode } from '../../exit-code.ts';
import type { ZoneListFlags, RetireFlags } from '../../old-flags.ts';
import type { RateLimitsConvertFlags } from '../../flags/rate-limits.ts';
import { runConversion } from './conversion.ts';
import { runRetirement } from './retire.ts';
import { runZoneList } from './zone-list.ts';

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
