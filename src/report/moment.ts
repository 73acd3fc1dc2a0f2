/**
 * Formats a moment for people: to the second, in UTC. The service gives microseconds, which nobody needs; a text that is not an RFC 3339
 * time stays as it is.
 */
export function momentText(moment: string): string {
  const time = RFC_3339.test(moment) ? Date.parse(moment) : Number.NaN;
  return Number.isNaN(time) ? moment : `${new Date(time).toISOString().slice(0, 19).replace('T', ' ')} UTC`;
}

const RFC_3339 = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(?:\.\d+)?(?:Z|[+-]\d\d:\d\d)$/i;
