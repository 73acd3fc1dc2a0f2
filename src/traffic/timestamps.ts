/** Unix times of our age by their size: which unit they are in, as milliseconds for each. */
const UNITS: readonly (readonly [below: number, milliseconds: number])[] = [
  [1e11, 1000],
  [1e14, 1],
  [1e17, 1e-3],
  [Infinity, 1e-6],
];

const MONTHS = ['jan', 'feb', 'mar', 'apr', 'may', 'jun', 'jul', 'aug', 'sep', 'oct', 'nov', 'dec'];

/** `10/Oct/2000:13:55:36 -0700`, as access logs have it. */
const OF_ACCESS_LOG = /^(\d{2})\/(\w{3})\/(\d{4}):(\d{2}):(\d{2}):(\d{2}) ([+-])(\d{2})(\d{2})$/u;

/**
 * RFC 3339, 5.6: with an offset, without which nobody knows the moment; `T` may be a space or in lower case, and some writers leave the colon
 * of the offset out.
 */
const RFC_3339 = /^(\d{4}-\d{2}-\d{2})[Tt ](\d{2}:\d{2}:\d{2}(?:\.\d+)?)([Zz]|[+-]\d{2}:?\d{2})$/u;

/** The year 10000: beyond, times have no date as RFC 3339 has it, and soon none at all. */
const END_OF_TIME = Date.UTC(10_000, 0);

/**
 * Reads the time of a record as milliseconds since 1970: Unix seconds, milliseconds, microseconds or nanoseconds, as a number or a text of digits,
 * RFC 3339, or the form of access logs. Null for anything else, and for what is no time of our age, such as the year 1 for one that was not set.
 */
export function readTime(value: unknown): number | null {
  const time = timeIn(value);
  return time !== null && time > 0 && time < END_OF_TIME ? time : null;
}

function timeIn(value: unknown): number | null {
  if (typeof value === 'number') {
    return unixTime(value);
  }
  if (typeof value !== 'string') {
    return null;
  }
  if (/^\d+(?:\.\d+)?$/u.test(value)) {
    return unixTime(Number(value));
  }
  const [, day, month = '', year, hour, minute, second, sign, hours, minutes] =
    OF_ACCESS_LOG.exec(value) ?? [];
  if (day !== undefined) {
    const offset = (Number(hours) * 60 + Number(minutes)) * (sign === '-' ? -1 : 1);
    const at = MONTHS.indexOf(month.toLowerCase());
    const utc = Date.UTC(Number(year), at, Number(day), Number(hour), Number(minute), Number(second));
    return at === -1 ? null : utc - offset * 60_000;
  }
  const [, date = '', time = '', zone = ''] = RFC_3339.exec(value) ?? [];
  const parsed = Date.parse(`${date}T${time}${zone.toUpperCase()}`);
  return Number.isNaN(parsed) ? null : parsed;
}

function unixTime(value: number): number | null {
  if (!Number.isFinite(value) || value <= 0) {
    return null;
  }
  const milliseconds = UNITS.find(([below]) => value < below)?.[1] ?? 1;
  return Math.floor(value * milliseconds);
}
