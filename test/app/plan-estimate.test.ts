import { expect, it, onTestFinished } from 'vitest';
import { createBudget } from '../../src/api/budget.ts';
import { plan } from '../../src/app/plan-project.ts';
import { NO_SECRETS } from '../../src/app/project/project-secrets.ts';
import type { AppEvent } from '../../src/app/run/events.ts';
import { runTime } from '../../src/app/run/time.ts';
import { startEmulator } from '../../src/emulator/index.ts';
import { inFolder, PROJECT } from '../config/project-folder.ts';
import { createFakeClock } from '../fake-clock.ts';

it('estimates how long planning has to wait for the budget that earlier requests of the run used up', async () => {
  const emulator = await startEmulator({ budget: 'off' });
  onTestFinished(() => emulator.close());
  const clock = createFakeClock();
  const budget = createBudget({ clock, limit: 10, limitPerSecond: Infinity, marginMs: 0 });
  await Promise.all(Array.from({ length: budget.limit }, () => budget.take()));
  const events: AppEvent[] = [];
  const files = {
    'rulewright.yaml': PROJECT,
    'zones/shop.yaml': 'zone: shop.example\nentrypoints: {http_request_firewall_custom: {rules: []}}\n',
  };
  await inFolder(files, (root) =>
    plan(
      { cwd: root, paths: [], targets: [] },
      {
        service: {
          kind: 'service',
          baseUrl: emulator.baseUrl,
          credentials: { kind: 'token', token: emulator.token },
        },
        env: {},
        secrets: NO_SECRETS,
        concurrency: 1,
        ...runTime(clock),
        budget,
      },
      (event) => void events.push(event),
    ),
  );
  expect(events.filter(({ kind }) => kind === 'estimate')).toEqual([
    { kind: 'estimate', work: 'plan', requests: 2, uncached: 2, leastWaitMs: 300_000, limit: 10 },
  ]);
});
