/**
 * A moment as people read it: to the second, in UTC. The service tells microseconds, which say nothing to anybody; what is no
 * time in RFC 3339 stays as it is.
 */
export function momentText(moment: string): string {
  const time = RFC_3339.test(moment) ? Date.parse(moment) : Number.NaN;
  return Number.isNaN(time) ? moment : `${new Date(time).toISOString().slice(0, 19).replace('T', ' ')} UTC`;
}

const RFC_3339 = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(?:\.\d+)?(?:Z|[+-]\d\d:\d\d)$/i;
