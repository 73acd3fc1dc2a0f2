import { describe, expect, test } from 'vitest';
import {
  dayAfter,
  isTimeZone,
  localTime,
  offsetTime,
  readTime,
  startOfDay,
  timeProblem,
  windowText,
  zonedTime,
} from '../../src/text/index.ts';

const at = (text: string): number => Date.parse(text) / 1000;

describe('readTime', () => {
  test.each([
    ['2026-12-01T08:00', 'Europe/Berlin', '2026-12-01T07:00:00Z'],
    ['2026-07-01T08:00:30', 'Europe/Berlin', '2026-07-01T06:00:30Z'],
    ['2026-12-01', 'UTC', '2026-12-01T00:00:00Z'],
    ['2026-12-01', 'America/Los_Angeles', '2026-12-01T08:00:00Z'],
    ['2026-01-01', 'Pacific/Kiritimati', '2025-12-31T10:00:00Z'],
    ['2026-03-29', 'Europe/Berlin', '2026-03-28T23:00:00Z'],
    ['2026-10-25T03:00', 'Europe/Berlin', '2026-10-25T02:00:00Z'],
  ])('%s in %s is %s', (local, zone, utc) => {
    expect(readTime(local, zone)).toEqual({ kind: 'one', seconds: at(utc) });
    expect(zonedTime(at(utc), zone)).toBe(local.length === 10 ? `${local} 00:00` : local.replace('T', ' '));
  });

  test.each([
    ['2026-03-29T02:30', 'Europe/Berlin', 'clock'],
    ['2026-09-06T00:30', 'America/Santiago', 'clock'],
    ['2026-02-30', 'UTC', 'calendar'],
    ['2026-02-30T10:00', 'Europe/Berlin', 'calendar'],
  ])('%s in %s is no instant', (local, zone, cause) => {
    expect(readTime(local, zone)).toEqual({ kind: 'none', cause });
  });

  test('says both instants of a time that comes twice, and each is shown with its offset', () => {
    const [summer, winter] = [at('2026-10-25T00:30:00Z'), at('2026-10-25T01:30:00Z')];
    expect(readTime('2026-10-25T02:30', 'Europe/Berlin')).toEqual({
      kind: 'two',
      seconds: [summer, winter],
    });
    expect(zonedTime(summer, 'Europe/Berlin')).toBe('2026-10-25 02:30 +02:00');
    expect(zonedTime(winter, 'Europe/Berlin')).toBe('2026-10-25 02:30 +01:00');
  });
});

describe('startOfDay', () => {
  test.each([
    ['2026-12-24', 'Europe/Berlin', '2026-12-23T23:00:00Z'],
    // Clocks skip midnight there, or show it twice.
    ['2026-09-06', 'America/Santiago', '2026-09-06T04:00:00Z'],
    ['2026-04-24', 'Africa/Cairo', '2026-04-23T22:00:00Z'],
    ['2026-11-01', 'America/Havana', '2026-11-01T04:00:00Z'],
    ['2011-12-30', 'Pacific/Apia', '2011-12-30T10:00:00Z'],
  ])('of %s in %s is %s', (day, zone, utc) => {
    expect(startOfDay(day, zone)).toEqual({ kind: 'one', seconds: at(utc) });
    expect(readTime(day, zone)).toEqual({ kind: 'one', seconds: at(utc) });
  });

  test('is unknown of a day that the calendar does not have', () => {
    expect(startOfDay('2027-02-29', 'UTC')).toEqual({ kind: 'none', cause: 'calendar' });
  });
});

test.each([
  ['2026-12-24T17:00:00Z', 'Europe/Berlin', '2026-12-24T18:00', '2026-12-24T18:00+01:00'],
  ['2026-12-24T17:00:05Z', 'UTC', '2026-12-24T17:00:05Z', '2026-12-24T17:00:05Z'],
  ['2026-10-25T00:30:00Z', 'Europe/Berlin', '2026-10-25T02:30+02:00', '2026-10-25T02:30+02:00'],
  ['2026-10-25T01:30:00Z', 'Europe/Berlin', '2026-10-25T02:30+01:00', '2026-10-25T02:30+01:00'],
  ['2026-12-24T12:30:00Z', 'Asia/Kolkata', '2026-12-24T18:00', '2026-12-24T18:00+05:30'],
])('%s in %s is written %s, and with its offset %s', (utc, zone, local, offset) => {
  expect(localTime(at(utc), zone)).toBe(local);
  expect(offsetTime(at(utc), zone)).toBe(offset);
  expect(readTime(local, zone)).toEqual({ kind: 'one', seconds: at(utc) });
  expect(readTime(offset, 'UTC')).toEqual({ kind: 'one', seconds: at(utc) });
});

test('timeProblem says what the clock shows instead of a time that it skips', () => {
  const skipped = { kind: 'none', cause: 'clock' } as const;
  expect(timeProblem('2027-03-28T02:30', skipped, 'Europe/Berlin')).toEqual({
    message: '2027-03-28T02:30 does not exist in Europe/Berlin, where clocks are set forward',
    hint: 'write 2027-03-28T03:00, to which they are set, or a time with its offset, such as 2027-03-28T03:00+02:00',
  });
  expect(timeProblem('2026-03-29T02:00:30', skipped, 'Europe/Berlin').hint).toContain(
    '2026-03-29T03:00+02:00',
  );
});

test('isTimeZone knows IANA names, and no offsets', () => {
  const names = ['UTC', 'Europe/Berlin', 'Europe/Berln', '+02:00', ''];
  expect(names.map((name) => isTimeZone(name))).toEqual([true, true, false, false, false]);
});

test('readTime reads days, local times and times with an offset', () => {
  const read = (text: string) => {
    const found = readTime(text, 'Europe/Berlin');
    return found?.kind === 'one' ? new Date(found.seconds * 1000).toISOString() : found?.kind;
  };
  expect(read('2026-12-24')).toBe('2026-12-23T23:00:00.000Z');
  expect(read('2026-12-24T18:00')).toBe('2026-12-24T17:00:00.000Z');
  expect(read('2026-12-24T18:00-05:30')).toBe('2026-12-24T23:30:00.000Z');
  expect(read('2026-10-25T02:30Z')).toBe('2026-10-25T02:30:00.000Z');
  expect(read('2026-10-25T02:30')).toBe('two');
  const unread = [
    '2026-12-24Z',
    '24.12.2026',
    '2026-12-24 18:00',
    '2026-12-24T24:00',
    '2026-12-31T23:59:60Z',
    '',
  ];
  expect(unread.map(read)).toEqual(unread.map(() => undefined));
});

test('dayAfter knows the calendar', () => {
  expect(['2026-12-31', '2028-02-28', '2026-03-28'].map((day) => dayAfter(day))).toEqual([
    '2027-01-01',
    '2028-02-29',
    '2026-03-29',
  ]);
});

test.each([
  [-3 * 86_400, ', begins in 3 days'],
  [-90 * 60, ', begins in 90 minutes'],
  [0, ', 10 days left'],
  [10 * 86_400 - 1, ', 1 minute left'],
  [10 * 86_400, ', ended 1 minute ago'],
  [40 * 86_400, ', ended 30 days ago'],
  [1000 * 86_400, ', ended 2 years ago'],
  [undefined, ''],
])('windowText says how long is left, where it knows the time: %j s after the beginning', (after, left) => {
  const from = at('2026-12-01T00:00:00Z');
  const view = { timeZone: 'Europe/Berlin', ...(after === undefined ? {} : { now: from + after }) };
  expect(windowText({ from, until: from + 10 * 86_400 }, view)).toBe(
    `2026-12-01 01:00 to 2026-12-11 01:00 Europe/Berlin${left}`,
  );
});
