import { ZONE_ARGUMENT, ZONE_ARGUMENTS, command, commandGroup } from '../../cli/index.ts';
import { RATE_LIMITS_CONVERT_FLAGS, ZONE_LIST_FLAGS, RETIRE_FLAGS } from '../legacy-flags.ts';

const list = command({
  run: async () => (await import('./run-rate-limits.ts')).runRateLimitsList,
  brief: 'Show old rate limits',
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
  run: async () => (await import('./run-rate-limits.ts')).runRateLimitsConvert,
  brief: 'Write old rate limits as rate limiting rules',
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
  run: async () => (await import('./run-rate-limits.ts')).runRateLimitsRetire,
  brief: 'Delete old rate limits whose conversion is live',
  text: `Deletes old rate limits, one at a time, and only those whose conversion is live
and does the same. After each deletion the entry point is read again. If it
changed, the run stops and puts its content back.`,
  examples: [['rulewright ratelimits retire shop.example --allow irreversible', 'ask, then delete']],
  flags: RETIRE_FLAGS,
  positional: ZONE_ARGUMENT,
});

/** `rulewright ratelimits list|convert|retire`. */
export const rateLimitCommands = commandGroup({
  brief: 'Replace old rate limits with rate limiting rules',
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
  routes: { list, convert, retire },
});
