import type { Diagnostic } from '../../model/diagnostic.ts';
import { finding } from '../source/finding.ts';
import { locateKey, locateValue } from '../yaml/yaml-document.ts';
import type { ValuePath, YamlDocument } from '../yaml/yaml-document.ts';

/** An entry of a list that counts until a day. */
interface EndingEntry {
  readonly path: ValuePath;
  /** Its last day. */
  readonly until: string;
  /** What it is and what it is for; goes on from "this". */
  readonly what: string;
  readonly code: 'config/expired-ignore' | 'config/expired-allow';
}

/** What the schema cannot say of a last day: that the calendar does not have it, or that it has passed. Without `today` no day has. */
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

/** Whether the calendar has a day, written `YYYY-MM-DD`. */
function isDay(text: string): boolean {
  const day = new Date(`${text}T00:00:00Z`);
  return !Number.isNaN(day.getTime()) && day.toISOString().startsWith(text);
}
