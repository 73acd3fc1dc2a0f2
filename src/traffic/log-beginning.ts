import type { LogFormat } from '../model/index.ts';
import { lineReader } from './log-format.ts';
import { logStart } from './open-log.ts';
import type { Log } from './open-log.ts';

const NO_FIELDS: ReadonlySet<string> = new Set();

/**
 * Returns the time of the earliest record at the beginning of logs that says what the service did, in milliseconds since 1970; null where none says
 * it. What can be read only once, or only as a whole, may begin at any time: 0. Throws `replay/…` for a log that cannot be read.
 */
export async function beginningOf(logs: readonly Log[], format: LogFormat | null): Promise<number | null> {
  let earliest: number | null = null;
  for (const log of logs) {
    const start = log.readOnce === true ? null : await logStart(log, format);
    if (start === null || start.format === 'har') {
      return 0;
    }
    const { format: form, text } = start;
    const read = form === null ? null : lineReader(form, { fields: NO_FIELDS, unknown: () => {} });
    for (const line of read === null ? [] : text.split('\n')) {
      const found = line === '' ? null : read?.(line);
      if (found?.kind === 'record' && found.record.recorded !== null && found.record.time !== null) {
        earliest = Math.min(earliest ?? found.record.time, found.record.time);
      }
    }
  }
  return earliest;
}
