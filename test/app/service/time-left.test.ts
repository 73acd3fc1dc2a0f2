import pLimit from 'p-limit';
import { expect, test } from 'vitest';
import { createBudget } from '../../../src/api/budget.ts';
import { timeLeftEstimator } from '../../../src/app/service/open-service.ts';
import { createFakeClock } from '../../fake-clock.ts';

test('timeLeftEstimator is within 15 s of the real end from the first 100 answers on', async () => {
  const clock = createFakeClock();
  const budget = createBudget({ clock });
  const total = 3000;
  const sent = { requests: 0, waitedMs: 0 };
  const timeLeft = timeLeftEstimator(total, { clock, budget }, () => ({
    ...sent,
  }));
  const told: { readonly at: number; readonly leftMs: number }[] = [];
  const places = pLimit(8);
  let done = 0;
  await Promise.all(
    Array.from({ length: total }, () =>
      places(async () => {
        await budget.take({ onWait: (_reason, ms) => void (sent.waitedMs += ms) });
        sent.requests += 1;
        await clock.sleep(100);
        done += 1;
        if (done % 100 === 0) {
          told.push({ at: clock.now(), leftMs: timeLeft(total - done) });
        }
      }),
    ),
  );
  const end = clock.now();
  for (const { at, leftMs } of told) {
    expect(Math.abs(at + leftMs - end)).toBeLessThan(15_000);
  }
  expect(told.at(-1)?.leftMs).toBe(0);
});

test('timeLeftEstimator takes each thing left for one request when the run needed more requests than foreseen', () => {
  const clock = createFakeClock();
  const sent = { requests: 0, waitedMs: 0 };
  const timeLeft = timeLeftEstimator(10, { clock, budget: createBudget({ clock }) }, () => ({ ...sent }));
  expect(timeLeft(10)).toBe(0);
  sent.requests = 20;
  clock.advance(20_000);
  expect(timeLeft(5)).toBe(5000);
});
