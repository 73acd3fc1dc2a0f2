import type { Command, RouteMap } from '@stricli/core';
import { buildCommand, buildRouteMap } from '@stricli/core';
import { description, lazily } from '../command.ts';
import type { CommandContext } from '../context.ts';
import type { OldConvertFlags, OldListFlags } from './old-flags.ts';
import { OLD_LIST_FLAGS, ZONE_FILE_FLAG } from './old-flags.ts';
import type { ZoneArguments } from '../zone-argument.ts';
import { ZONE_ARGUMENT } from '../zone-argument.ts';
import type { RetireFlags } from './retire.ts';
import { RETIRE_FLAGS } from './retire.ts';
import { switchFlag } from '../flag.ts';

/** Flags of `ratelimits convert`. */
export interface RateLimitsConvertFlags extends OldConvertFlags {
  readonly fitPlan?: boolean | undefined;
}

const list: Command<CommandContext> = buildCommand<OldListFlags, ZoneArguments, CommandContext>({
  func: lazily(async () => (await import('../run/rate-limits.ts')).runRateLimitsList),
  parameters: {
    flags: OLD_LIST_FLAGS,
    positional: ZONE_ARGUMENT,
  },
  docs: {
    brief: 'Show old rate limits',
    fullDescription: description('Lists the old rate limits of a zone.', [
      ['rulewright ratelimits list shop.example', 'all of a zone'],
    ]),
  },
});

const convert: Command<CommandContext> = buildCommand<RateLimitsConvertFlags, ZoneArguments, CommandContext>({
  func: lazily(async () => (await import('../run/rate-limits.ts')).runRateLimitsConvert),
  parameters: {
    flags: {
      ...ZONE_FILE_FLAG,
      fitPlan: switchFlag('Leave out what the plan level of the zone does not include'),
      ...OLD_LIST_FLAGS,
    },
    positional: ZONE_ARGUMENT,
  },
  docs: {
    brief: 'Write old rate limits as rate limiting rules',
    fullDescription: description(
      `Converts the old rate limits of a zone to rate limiting rules, and says what is
lost: periods and timeouts become the nearest that the plan level has. Generated
requests show to which requests old and new apply. If that differs, the
differences are printed and the exit code is 2. Without --out, it prints the
YAML, and the report goes to stderr. The service is not changed.`,
      [['rulewright ratelimits convert shop.example --out zones/shop-limits.yaml', 'a file and a report']],
    ),
  },
});

const retire: Command<CommandContext> = buildCommand<RetireFlags, ZoneArguments, CommandContext>({
  func: lazily(async () => (await import('../run/rate-limits.ts')).runRateLimitsRetire),
  parameters: { flags: RETIRE_FLAGS, positional: ZONE_ARGUMENT },
  docs: {
    brief: 'Delete old rate limits whose conversion is live',
    fullDescription: description(
      `Deletes old rate limits, one at a time, and only those whose conversion is live
and does the same. After each deletion the entry point is read again. If it
changed, the run stops and puts its content back.`,
      [['rulewright ratelimits retire shop.example --allow irreversible', 'ask, then delete']],
    ),
  },
});

/** `rulewright ratelimits list|convert|retire`. */
export const rateLimitCommands: RouteMap<CommandContext> = buildRouteMap({
  routes: { list, convert, retire },
  docs: {
    brief: 'Replace old rate limits with rate limiting rules',
    fullDescription: `Lists the deprecated rate limits of a zone, converts them to rate limiting rules,
and deletes those whose conversion is live.

EXAMPLES
  rulewright ratelimits list shop.example
  rulewright ratelimits convert shop.example --out zones/shop-limits.yaml
  rulewright ratelimits retire shop.example --allow irreversible`,
  },
});
