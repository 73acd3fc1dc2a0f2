/**
 * Words for people, for everybody: counts, lists of names, likely meant names, patterns with stars, times of wall clocks.
 *
 * Promises: pure.
 * Never: knows what it is about.
 */
export { nearName } from './near-name.ts';
export { STAR_PATTERN, matchesStars } from './star-pattern.ts';
export {
  compareText,
  counted,
  countsText,
  duration,
  grouped,
  oneLine,
  quoted,
  secondsOf,
  shellWord,
  shortened,
  slug,
  someNames,
} from './wording.ts';
export {
  dayAfter,
  isTimeZone,
  localTime,
  offsetTime,
  readTime,
  startOfDay,
  timeProblem,
  secondInUtc,
  wholeSecond,
  windowText,
  zonedTime,
} from './zoned-time.ts';
export type { WindowView, ZonedInstant } from './zoned-time.ts';
