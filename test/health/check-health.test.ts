import { expect, onTestFinished, test } from 'vitest';
import type { AnalyticsClient } from '../../src/api/index.ts';
import { createBudget, openReadClient } from '../../src/api/index.ts';
import { fakeClock, startEmulator } from '../../src/emulator/index.ts';
import { checkHealth, healthDue } from '../../src/health/index.ts';
import type { WatchedZone, WrittenWave } from '../../src/health/index.ts';
import type { HealthGate } from '../../src/model/index.ts';
import { createFakeClock } from '../fake-clock.ts';

const START = Date.UTC(2026, 0, 5, 12);

const GATE: HealthGate = { errors: { max: 1, window: 600 }, minRequests: 100, delay: 300, probes: [] };

const SHOP = '11111111111111111111111111111111';

/** The service with a shop, and the clocks of both sides, which go together. */
async function openShop() {
  const clock = createFakeClock(START);
  const emulator = await startEmulator({
    clock: { ...fakeClock(START), now: () => clock.now() },
    budget: 'off',
    seed: {
      version: 1,
      token: 'all',
      tokens: { rules: [{ permissions: ['Zone WAF Write'], resources: ['*'] }] },
      accounts: [{ name: 'Shop', plan: 'pro' }],
      zones: [{ id: SHOP, name: 'shop.example', account: 'Shop', plan: 'pro' }],
    },
  });
  onTestFinished(() => emulator.close());
  const open = (token: string): AnalyticsClient => {
    const client = openReadClient({
      baseUrl: emulator.baseUrl,
      credentials: { kind: 'token', token },
      budget: createBudget({ clock }),
      clock,
    });
    onTestFinished(() => client.close());
    return client;
  };
  return { clock, emulator, open };
}

test('what the credentials may not ask is no data, and is not asked before it has been counted', async () => {
  const { clock, open } = await openShop();
  const zones: readonly WatchedZone[] = [{ name: 'shop.example', id: SHOP, client: open('rules') }];
  const wrote = { from: START - 10_000, to: START - 500 };
  expect(healthDue(GATE, wrote)).toBe(START + (300 + 600 + 300) * 1000);
  const wave: WrittenWave = { zones, others: [], wrote };
  const result = await checkHealth(GATE, wave, { clock, reach: { zones: [], allowed: [] } });
  expect(clock.slept).toEqual([1_200_000]);
  expect(result).toMatchObject({
    verdict: 'no_data',
    checked_at: '2026-01-05T12:20:00Z',
    measures: [{ measure: 'errors', why: expect.stringContaining('shop.example') as string, wave: null }],
  });
});
