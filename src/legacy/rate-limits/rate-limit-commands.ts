import { ZONE_ARGUMENT, ZONE_ARGUMENTS, command, commandGroup } from '../../cli/index.ts';
import { RATE_LIMITS_CONVERT_FLAGS, ZONE_LIST_FLAGS, RETIRE_FLAGS } from '../legacy-flags.ts';
import type { ScopeRef } from '../../model/index.ts';
import type { CliContext, ExitCode } from '../../cli/index.ts';
import type { ZoneListFlags, RetireFlags, RateLimitsConvertFlags } from '../legacy-flags.ts';
import { runZoneList } from '../run-zone-list.ts';
import { runConversion } from '../run-conversion.ts';
import { runRetirement } from '../run-retirement.ts';
import { rateLimitConversionDocument, rateLimitsSection } from './rate-limits-report.ts';
import { convertZoneRateLimits, listRateLimits, planRetiredRateLimits } from './rate-limits-zone.ts';

/** Lists old rate limits. */
function runRateLimitsList(
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
      title: 'Rulewright ratelimits list',
      section: rateLimitsSection,
      facts: ({ scope, limits }) => ({ scope, limits }),
    },
  );
}

/** Converts old rate limits; writes a file or prints the YAML, and reports what is lost. */
function runRateLimitsConvert(
  context: CliContext,
  flags: RateLimitsConvertFlags,
  zone: ScopeRef,
): Promise<ExitCode> {
  const fitPlan = flags.fitPlan === true;
  return runConversion(
    { context, flags, zone },
    {
      phases: ['http_ratelimit'],
      convert: (choice, options, report) => convertZoneRateLimits({ ...choice, fitPlan }, options, report),
      document: rateLimitConversionDocument,
      kind: 'rate-limit-conversion',
    },
  );
}

/** Deletes old rate limits whose conversion is live and equal. */
function runRateLimitsRetire(context: CliContext, flags: RetireFlags, zone: ScopeRef): Promise<ExitCode> {
  return runRetirement(
    { context, flags, zone },
    { again: (name) => ['ratelimits', 'retire', name], plan: planRetiredRateLimits },
  );
}

const list = command({
  run: runRateLimitsList,
  text: 'Lists the old rate limits of zones. Without a zone, it takes those of the project.',
  examples: [
    ['rulewright ratelimits list', 'all zones of the project'],
    ['rulewright ratelimits list shop.example', 'all of a zone'],
    ['rulewright ratelimits list --all-zones', 'every zone that the token can read'],
  ],
  flags: ZONE_LIST_FLAGS,
  positional: ZONE_ARGUMENTS,
});

const convert = command({
  run: runRateLimitsConvert,
  text: `Converts the old rate limits of a zone to rate limiting rules, and says what is
lost: periods and timeouts become the nearest that the plan level has. Generated
requests show to which requests old and new apply. If that differs, the
differences are printed and the exit code is 2. Without --out, it prints the
YAML, and the report goes to stderr. The service is not changed.`,
  examples: [
    ['rulewright ratelimits convert shop.example --out zones/shop-limits.yaml', 'a file and a report'],
  ],
  flags: RATE_LIMITS_CONVERT_FLAGS,
  positional: ZONE_ARGUMENT,
});

const retire = command({
  run: runRateLimitsRetire,
  text: `Deletes old rate limits, one at a time, and only those whose conversion is live
and does the same. After each deletion the entry point is read again. If it
changed, the run stops and puts its content back.`,
  examples: [['rulewright ratelimits retire shop.example --allow irreversible', 'ask, then delete']],
  flags: RETIRE_FLAGS,
  positional: ZONE_ARGUMENT,
});

/** `rulewright ratelimits list|convert|retire`. */
export const rateLimitCommands = commandGroup({
  text: `Lists the deprecated rate limits of a zone, converts them to rate limiting rules,
and deletes those whose conversion is live.`,
  examples: [
    ['rulewright ratelimits list shop.example', 'the rate limits of a zone'],
    [
      'rulewright ratelimits convert shop.example --out zones/shop-limits.yaml',
      'write them as rate limiting rules',
    ],
    [
      'rulewright ratelimits retire shop.example --allow irreversible',
      'delete those whose conversion is live',
    ],
  ],
  routes: {
    list: list('Show old rate limits'),
    convert: convert('Write old rate limits as rate limiting rules'),
    retire: retire('Delete old rate limits whose conversion is live'),
  },
});
