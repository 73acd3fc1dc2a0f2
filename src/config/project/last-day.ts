import type { Diagnostic } from '../../model/diagnostic.ts';
import { finding } from '../source/finding.ts';
import { locateKey, locateValue } from '../yaml/yaml-document.ts';
import type { ValuePath, YamlDocument } from '../yaml/yaml-document.ts';

/** An entry of a list that expires after a day. */
interface EndingEntry {
  readonly path: ValuePath;
  /** Its last day, `YYYY-MM-DD`. */
  readonly until: string;
  /** What the entry is and what it is for, as a continuation of "this". */
  readonly what: string;
  readonly code: 'config/expired-ignore' | 'config/expired-allow';
}

/** Reports a last day that the calendar does not have, or that has passed. Without `today`, no day has passed. */
export function checkLastDay(
  document: YamlDocument,
  { path, until, what, code }: EndingEntry,
  today = '',
): readonly Diagnostic[] {
  if (!isDay(until)) {
    return [
      finding('config/no-such-day', {
        message: `${until} is not a day of the calendar`,
        where: locateValue(document, [...path, 'until']),
      }),
    ];
  }
  return until < today
    ? [
        finding(code, {
          message: `this ${what} expired on ${until}`,
          hint: 'remove it, or give it a later last day',
          where: locateKey(document, path),
        }),
      ]
    : [];
}

/** Whether the calendar has a day, written as `YYYY-MM-DD`. */
function isDay(text: string): boolean {
  const day = new Date(`${text}T00:00:00Z`);
  return !Number.isNaN(day.getTime()) && day.toISOString().startsWith(text);
}
