import { counted } from './wording.ts';

/** A time of a wall clock, without its zone. */
const LOCAL = /^(?<day>\d{4}-\d\d-\d\d)(?:T(?<time>\d\d:\d\d(?::\d\d)?))?$/u;

/** What a time of a wall clock means in its zone: one instant in seconds since 1970, none, or one of two. */
export type ZonedInstant =
  | { readonly kind: 'one'; readonly seconds: number }
  /** The clock skips it, or the calendar does not have it. */
  | { readonly kind: 'none'; readonly cause: 'calendar' | 'clock' }
  | { readonly kind: 'two'; readonly seconds: readonly [earlier: number, later: number] };

const clocks = new Map<string, Intl.DateTimeFormat>();

/** Whether a text is the IANA name of a time zone, such as `Europe/Berlin`. */
export function isTimeZone(name: string): boolean {
  // Offsets such as +02:00 are accepted by some versions of Node only, and have no summer time.
  if (!/^[A-Za-z]/u.test(name)) {
    return false;
  }
  try {
    clockOf(name);
    return true;
  } catch {
    return false;
  }
}

/** Returns the time of the wall clock in a zone: `2026-12-01 08:00`, with seconds where they are not 0, and with the offset where that time comes twice. */
export function zonedTime(seconds: number, timeZone: string): string {
  const wall = wallClock(seconds, timeZone);
  const local = new Date(wall * 1000).toISOString();
  const shown = `${local.slice(0, 10)} ${local.slice(11, local.endsWith(':00.000Z') ? 16 : 19)}`;
  return instantOf(local.slice(0, 19), timeZone).kind === 'two'
    ? `${shown} ${offsetText(wall - seconds)}`
    : shown;
}

/** Returns an instant by the clock of a zone, as people write it: `2026-12-24T18:00`; in UTC, and where that time comes twice, with its offset. */
export function localTime(seconds: number, timeZone: string): string {
  const [day = '', time = '', offset = ''] = zonedTime(seconds, timeZone).split(' ');
  return `${day}T${time}${timeZone === 'UTC' ? 'Z' : offset}`;
}

/** Returns an instant by the clock of a zone with its offset: `2026-12-24T18:00+01:00`, which means the same everywhere. */
export function offsetTime(seconds: number, timeZone: string): string {
  const [day = '', time = ''] = zonedTime(seconds, timeZone).split(' ');
  return `${day}T${time}${timeZone === 'UTC' ? 'Z' : offsetText(wallClock(seconds, timeZone) - seconds)}`;
}

/** How windows are shown: in which time zone (IANA name), and at which moment, in seconds since 1970; without one nothing is said of what is left. */
export interface WindowView {
  readonly timeZone: string;
  readonly now?: number;
}

/**
 * Says when something is active that begins at an instant, ends at one, or both: `2026-12-01 08:00 to 2026-12-24 18:00 Europe/Berlin`, and
 * where it is known what time it is, how long is left: `, 3 days left`.
 */
export function windowText(
  window: { readonly from?: number; readonly until?: number },
  { timeZone, now }: WindowView,
): string {
  const { from, until } = window;
  const [begin, end] = [from, until].map((one) => (one === undefined ? '' : zonedTime(one, timeZone)));
  const left = now === undefined ? '' : leftText(window, now);
  if (from !== undefined && until !== undefined) {
    return `${begin} to ${end} ${timeZone}${left}`;
  }
  return `${from === undefined ? `until ${end}` : `from ${begin}`} ${timeZone}${left}`;
}

function leftText({ from, until }: { readonly from?: number; readonly until?: number }, now: number): string {
  if (until !== undefined && now >= until) {
    return `, ended ${span(now - until)} ago`;
  }
  if (from !== undefined && now < from) {
    return `, begins in ${span(from - now)}`;
  }
  return until === undefined ? '' : `, ${span(until - now)} left`;
}

const UNITS = [
  [31_557_600, 'year'],
  [86_400, 'day'],
  [3600, 'hour'],
  [60, 'minute'],
] as const;

/** Returns a span of time in the largest unit of which there are two, rounded down. */
function span(seconds: number): string {
  const [size, unit] = UNITS.find(([one]) => seconds >= 2 * one) ?? [60, 'minute'];
  return counted(Math.max(1, Math.floor(seconds / size)), unit);
}

/** Returns the instant of `2026-12-24` (its midnight) or `2026-12-24T18:00[:00]` in a zone. */
function instantOf(local: string, timeZone: string): ZonedInstant {
  const { day = '', time = '00:00' } = LOCAL.exec(local)?.groups ?? {};
  const wanted = `${day}T${time.length === 5 ? `${time}:00` : time}`;
  const wall = new Date(`${wanted}Z`).getTime() / 1000;
  if (Number.isNaN(wall) || !new Date(wall * 1000).toISOString().startsWith(wanted)) {
    return { kind: 'none', cause: 'calendar' };
  }
  const [first, second] = [...new Set(offsetsAround(wall, timeZone).map((offset) => wall - offset))]
    .filter((seconds) => wallClock(seconds, timeZone) === wall)
    .toSorted((a, b) => a - b);
  if (first === undefined) {
    return { kind: 'none', cause: 'clock' };
  }
  return second === undefined ? { kind: 'one', seconds: first } : { kind: 'two', seconds: [first, second] };
}

/** Returns the first instant of a day, `YYYY-MM-DD`, in a zone, also where clocks skip its midnight or show it twice. */
export function startOfDay(day: string, timeZone: string): ZonedInstant {
  const midnight = instantOf(day, timeZone);
  if (midnight.kind === 'two') {
    return { kind: 'one', seconds: midnight.seconds[0] };
  }
  return midnight.kind === 'none' && midnight.cause === 'clock'
    ? { kind: 'one', seconds: firstAfter(new Date(`${day}T00:00:00Z`).getTime() / 1000, timeZone) }
    : midnight;
}

/** Returns the instant at which the clock is set forward, past a time of the wall clock that it skips. */
function firstAfter(wall: number, timeZone: string): number {
  const offsets = offsetsAround(wall, timeZone);
  let [before, after] = [wall - Math.max(...offsets), wall - Math.min(...offsets)];
  while (before < after) {
    const middle = Math.floor((before + after) / 2);
    if (wallClock(middle, timeZone) < wall) {
      before = middle + 1;
    } else {
      after = middle;
    }
  }
  return before;
}

/** Returns the offsets of a zone around a time of its wall clock. No zone changes its offset twice within two days, and none is further than a day from UTC. */
function offsetsAround(wall: number, timeZone: string): readonly number[] {
  return [-DAY, DAY].map((around) => wallClock(wall + around, timeZone) - (wall + around));
}

/** A time as people write it: a day, a time of a wall clock, or one with its offset. */
const WRITTEN =
  /^(?<local>\d{4}-\d\d-\d\d(?:T(?:[01]\d|2[0-3]):[0-5]\d(?::[0-5]\d)?)?)(?<offset>Z|[+-]\d\d:\d\d)?$/u;

/** Returns the instant of a written time; a day is its first instant. Undefined for any other text. */
export function readTime(text: string, timeZone: string): ZonedInstant | undefined {
  const { local, offset } = WRITTEN.exec(text)?.groups ?? {};
  if (local === undefined || (offset !== undefined && !local.includes('T'))) {
    return undefined;
  }
  if (!local.includes('T')) {
    return startOfDay(local, timeZone);
  }
  const read = instantOf(local, offset === undefined ? timeZone : 'UTC');
  return read.kind === 'one' && offset !== undefined
    ? { kind: 'one', seconds: read.seconds - secondsOf(offset) }
    : read;
}

function secondsOf(offset: string): number {
  const [hours = 0, minutes = 0] = offset.slice(1).split(':').map(Number);
  return (offset.startsWith('-') ? -60 : 60) * (hours * 60 + minutes);
}

/** Says why a written time is no instant, and what to write. */
export function timeProblem(
  text: string,
  read: Exclude<ZonedInstant, { readonly kind: 'one' }> | undefined,
  timeZone: string,
): { readonly message: string; readonly hint?: string } {
  if (read === undefined) {
    return {
      message: `${JSON.stringify(text)} is not a time`,
      hint: "write a day such as 2026-12-24, a time in the project's time zone such as 2026-12-24T18:00, or one with its offset such as 2026-12-24T18:00Z",
    };
  }
  if (read.kind === 'two') {
    const [earlier = '', later = ''] = read.seconds.map((one) => zonedTime(one, timeZone).slice(-6));
    return {
      message: `${text} comes twice in ${timeZone}, where clocks are set back`,
      hint: `write which one is meant: ${text}${earlier} is the earlier, ${text}${later} the later`,
    };
  }
  if (read.cause === 'calendar') {
    return { message: `${text.slice(0, 10)} is not a day of the calendar` };
  }
  const next = firstAfter(new Date(`${text}Z`).getTime() / 1000, timeZone);
  return {
    message: `${text} does not exist in ${timeZone}, where clocks are set forward`,
    hint: `write ${localTime(next, timeZone)}, to which they are set, or a time with its offset, such as ${offsetTime(next, timeZone)}`,
  };
}

/** Returns the day after `YYYY-MM-DD`. */
export function dayAfter(day: string): string {
  return new Date(new Date(`${day}T00:00:00Z`).getTime() + DAY * 1000).toISOString().slice(0, 10);
}

const DAY = 86_400;

/** Returns what the wall clock shows, as the seconds since 1970 at which a clock of UTC shows it. */
function wallClock(seconds: number, timeZone: string): number {
  // Most projects have no zone of their own, and what knows of zones takes 10 ms to start.
  if (timeZone === 'UTC') {
    return Math.floor(seconds);
  }
  const parts = new Map(
    clockOf(timeZone)
      .formatToParts(seconds * 1000)
      .map(({ type, value }) => [type, Number(value)]),
  );
  const of = (type: Intl.DateTimeFormatPartTypes): number => parts.get(type) ?? 0;
  return Date.UTC(of('year'), of('month') - 1, of('day'), of('hour'), of('minute'), of('second')) / 1000;
}

/** Returns the clock of a zone, which is kept, since to make one costs more than to read it a hundred times. Throws where there is no such zone. */
function clockOf(timeZone: string): Intl.DateTimeFormat {
  const known = clocks.get(timeZone);
  if (known !== undefined) {
    return known;
  }
  const clock = new Intl.DateTimeFormat('en-u-ca-gregory-nu-latn', {
    timeZone,
    hourCycle: 'h23',
    year: 'numeric',
    month: 'numeric',
    day: 'numeric',
    hour: 'numeric',
    minute: 'numeric',
    second: 'numeric',
  });
  clocks.set(timeZone, clock);
  return clock;
}

function offsetText(offset: number): string {
  const minutes = Math.abs(offset) / 60;
  const two = (count: number): string => String(count).padStart(2, '0');
  return `${offset < 0 ? '-' : '+'}${two(Math.floor(minutes / 60))}:${two(minutes % 60)}`;
}

/** Returns a moment in milliseconds since 1970 as RFC 3339 in UTC without parts of a second: `2026-12-01T08:00:00Z`. */
export function wholeSecond(milliseconds: number): string {
  return `${new Date(milliseconds).toISOString().slice(0, 19)}Z`;
}

/** Returns a moment in milliseconds since 1970 for people, to the second: `2026-12-01 08:00:00 UTC`. */
export function secondInUtc(milliseconds: number): string {
  return `${wholeSecond(milliseconds).slice(0, -1).replace('T', ' ')} UTC`;
}
