import { afterEach, expect, test, vi } from 'vitest';
import { systemClock } from '../../src/network/clock.ts';

const HOUR_MS = 60 * 60 * 1000;

afterEach(() => {
  vi.useRealTimers();
});

test('systemClock tells the time of day in whole milliseconds', () => {
  expect(Math.abs(systemClock.now() - Date.now())).toBeLessThan(HOUR_MS);
  expect(Number.isInteger(systemClock.now())).toBe(true);
});

test.each([-HOUR_MS, HOUR_MS])(
  'systemClock does not jump if the clock of the machine is changed by %i ms',
  (ms) => {
    const before = systemClock.now();
    vi.useFakeTimers({ toFake: ['Date'] });
    vi.setSystemTime(before + ms);
    const passed = systemClock.now() - before;
    expect(passed).toBeGreaterThanOrEqual(0);
    expect(passed).toBeLessThan(HOUR_MS / 2);
  },
);
