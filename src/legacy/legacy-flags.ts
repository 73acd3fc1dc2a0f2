import type { FlagsOf } from '../cli/index.ts';
import {
  LIVE_FLAGS,
  RESULT_FLAGS,
  SCAN_FORMATS,
  WRITE_FLAGS,
  choiceFlag,
  formatFlags,
  scopeFileFlag,
  switchFlag,
  textFlag,
  valueFlag,
} from '../cli/index.ts';

/** For commands that can look at every zone. */
export const ALL_ZONES_FLAG = { allZones: switchFlag('Every zone that the token can read') };

/** For `firewall list`, `ratelimits list`, `pagerules list` and `waf status`. */
export const ZONE_LIST_FLAGS = { ...ALL_ZONES_FLAG, ...LIVE_FLAGS };

/** The values of `ZONE_LIST_FLAGS`. */
export type ZoneListFlags = FlagsOf<typeof ZONE_LIST_FLAGS>;

/** The file that `firewall convert`, `ratelimits convert` and `pagerules convert` write. */
export const ZONE_FILE_FLAG = { out: scopeFileFlag('FILE', 'Write this zone file, or add the phase to it') };

/** For commands that print a zone file unless another format is asked for. */
export const ZONE_FILE_RESULT = { output: scopeFileFlag('FILE', 'Write the result to a file') };

/** The values of `ZONE_FILE_FLAG`. */
export type ZoneFileFlags = FlagsOf<typeof ZONE_FILE_FLAG>;

/** For commands that delete objects of a deprecated interface after their conversion is live. */
export const RETIRE_FLAGS = {
  dryRun: WRITE_FLAGS.dryRun,
  yes: WRITE_FLAGS.yes,
  allow: WRITE_FLAGS.allow,
  journal: { ...WRITE_FLAGS.journal, brief: 'Journal (default: .rulewright/retired.jsonl)' },
  ...LIVE_FLAGS,
};

/** The values of `RETIRE_FLAGS`. */
export type RetireFlags = FlagsOf<typeof RETIRE_FLAGS>;

/** Flags of `firewall convert`. */
export const FIREWALL_CONVERT_FLAGS = {
  ...ZONE_FILE_FLAG,
  order: choiceFlag(['list', 'priority'], 'The order in which the zone runs its rules'),
  place: choiceFlag(['first', 'last'], 'Before or after other custom rules'),
  ...LIVE_FLAGS,
  ...ZONE_FILE_RESULT,
};

/** The values of `FIREWALL_CONVERT_FLAGS`. */
export type FirewallConvertFlags = FlagsOf<typeof FIREWALL_CONVERT_FLAGS>;

/** Flags of `ratelimits convert`. */
export const RATE_LIMITS_CONVERT_FLAGS = {
  ...ZONE_FILE_FLAG,
  fitPlan: switchFlag('Leave out what the plan level of the zone does not include'),
  ...LIVE_FLAGS,
  ...ZONE_FILE_RESULT,
};

/** The values of `RATE_LIMITS_CONVERT_FLAGS`. */
export type RateLimitsConvertFlags = FlagsOf<typeof RATE_LIMITS_CONVERT_FLAGS>;

/** Flags of `pagerules convert`. */
export const PAGE_RULES_CONVERT_FLAGS = { ...ZONE_FILE_FLAG, ...LIVE_FLAGS, ...ZONE_FILE_RESULT };

/** The values of `PAGE_RULES_CONVERT_FLAGS`. */
export type PageRulesConvertFlags = FlagsOf<typeof PAGE_RULES_CONVERT_FLAGS>;

const STEP_FLAGS = {
  allow: WRITE_FLAGS.allow,
  dryRun: WRITE_FLAGS.dryRun,
  journal: WRITE_FLAGS.journal,
  ...LIVE_FLAGS,
};

/** Flags of `waf validate`. */
export const WAF_VALIDATE_FLAGS = { yes: WRITE_FLAGS.yes, ...STEP_FLAGS };

/** The values of `WAF_VALIDATE_FLAGS`. */
export type WafValidateFlags = FlagsOf<typeof WAF_VALIDATE_FLAGS>;

/** Flags of `waf finish`. */
export const WAF_FINISH_FLAGS = {
  confirm: textFlag('ZONE', 'The name of the zone, instead of typing it'),
  ...STEP_FLAGS,
};

/** The values of `WAF_FINISH_FLAGS`. */
export type WafFinishFlags = FlagsOf<typeof WAF_FINISH_FLAGS>;

/** Flags of `deprecations list`. */
export const DEPRECATIONS_LIST_FLAGS = {
  today: valueFlag(calendarDay, 'DAY', 'Use this day as today, YYYY-MM-DD'),
  ...RESULT_FLAGS,
};

/** The values of `DEPRECATIONS_LIST_FLAGS`. */
export type DeprecationsListFlags = FlagsOf<typeof DEPRECATIONS_LIST_FLAGS>;

/** Flags of `deprecations scan`. */
export const DEPRECATIONS_SCAN_FLAGS = { ...DEPRECATIONS_LIST_FLAGS, ...formatFlags(SCAN_FORMATS) };

/** The values of `DEPRECATIONS_SCAN_FLAGS`. */
export type DeprecationsScanFlags = FlagsOf<typeof DEPRECATIONS_SCAN_FLAGS>;

/** Parses a day that exists in the calendar, `YYYY-MM-DD`. */
function calendarDay(text: string): string {
  const time = /^\d{4}-\d{2}-\d{2}$/u.test(text) ? Date.parse(text) : Number.NaN;
  if (Number.isNaN(time) || new Date(time).toISOString().slice(0, 10) !== text) {
    throw new Error('expected a day, such as 2026-12-01');
  }
  return text;
}
