import type { FlagsOf } from '../flag.ts';
import { valueFlag } from '../flag.ts';
import { RESULT_FLAGS } from '../flags.ts';
import { SCAN_FORMATS, formatFlags } from '../formats.ts';

/** Flags of `deprecations list`. */
export const LIST_FLAGS = {
  today: valueFlag(calendarDay, 'DAY', 'Use this day as today, YYYY-MM-DD'),
  ...RESULT_FLAGS,
};

/** The values of `LIST_FLAGS`. */
export type ListFlags = FlagsOf<typeof LIST_FLAGS>;

/** Flags of `deprecations scan`. */
export const SCAN_FLAGS = { ...LIST_FLAGS, ...formatFlags(SCAN_FORMATS) };

/** The values of `SCAN_FLAGS`. */
export type ScanFlags = FlagsOf<typeof SCAN_FLAGS>;

/** Parses a day that exists in the calendar, `YYYY-MM-DD`. */
function calendarDay(text: string): string {
  const time = /^\d{4}-\d{2}-\d{2}$/u.test(text) ? Date.parse(text) : Number.NaN;
  if (Number.isNaN(time) || new Date(time).toISOString().slice(0, 10) !== text) {
    throw new Error('expected a day, such as 2026-12-01');
  }
  return text;
}
