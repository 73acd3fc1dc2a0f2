import { describe, expect, it } from 'vitest';
import { openReadClient } from '../../../src/api/client.ts';
import { runBudget } from '../../../src/app/service/run-budget.ts';
import { openService } from '../../../src/app/service/open-service.ts';
import { NO_SECRETS } from '../../../src/app/project/project-secrets.ts';
import { runTime } from '../../../src/app/run/time.ts';
import type { AppEvent } from '../../../src/app/run/events.ts';
import type { ServiceOptions } from '../../../src/app/service/service-options.ts';
import { createFakeClock } from '../../fake-clock.ts';
import { sendJson, startLoopback, success } from '../../api/loopback.ts';
import { NO_CACHE } from '../../../src/live/ruleset-cache.ts';

const CLOCK = createFakeClock();

const OPTIONS: ServiceOptions = {
  service: {
    kind: 'service',
    baseUrl: 'http://127.0.0.1:9',
    credentials: { kind: 'token', token: 'a-token-of-the-test' },
  },
  env: {},
  secrets: NO_SECRETS,
  concurrency: 1,
  ...runTime(CLOCK),
  budget: runBudget({ clock: CLOCK }),
  cache: { folder: '/nowhere/cache', sweepDays: null },
};

async function isCached(options: Partial<ServiceOptions>): Promise<boolean> {
  const service = await openService({ ...OPTIONS, ...options }, openReadClient, () => undefined);
  return service.cache(undefined) !== NO_CACHE;
}

describe('the version cache of a run', () => {
  it('is used when the run asks for it', async () => {
    expect(await isCached({})).toBe(true);
  });

  it('is used when all sensitive values are known', async () => {
    const known = [{ reference: '<sensitive:EDGE_SECRET>', value: 'a-value-of-the-test' }];
    expect(await isCached({ secrets: { ...NO_SECRETS, known } })).toBe(true);
  });

  it('is not used when a sensitive value is unknown, because it could not be kept out of the cache', async () => {
    expect(await isCached({ secrets: { ...NO_SECRETS, missing: ['EDGE_SECRET'] } })).toBe(false);
  });

  it('reports once that it is not used, and why', async () => {
    const events: AppEvent[] = [];
    const secrets = { ...NO_SECRETS, missing: ['EDGE_SECRET', 'OLD'], former: ['OLD'] };
    const service = await openService({ ...OPTIONS, secrets }, openReadClient, (event) => events.push(event));
    service.cache(undefined);
    service.cache(undefined);
    expect(events).toEqual([
      {
        kind: 'cache',
        problem:
          'not used, so every scope is read in full: EDGE_SECRET is not set, and a secret that is not known cannot be kept out of it',
      },
    ]);
  });
});

it('openService hides the tokens of all scopes in the error messages of the service to any of them', async () => {
  const server = await startLoopback((_seen, response) =>
    sendJson(response, 403, {
      success: false,
      errors: [{ code: 1, message: 'neither token-one-of-the-test nor token-two-of-the-test' }],
      result: null,
    }),
  );
  const service = await openService(
    {
      ...OPTIONS,
      service: { kind: 'service', baseUrl: server.baseUrl, credentials: null },
      env: { ONE: 'token-one-of-the-test', TWO: 'token-two-of-the-test' },
    },
    openReadClient,
    () => undefined,
  );
  const one = service.client('ONE');
  service.client('TWO');
  await expect(one.get('/zones')).rejects.toThrow('neither *** nor ***');
  await service.close();
});

it('openService counts the requests of all tokens against one budget, because one user may own them all', async () => {
  const server = await startLoopback((_seen, response) => sendJson(response, 200, success(null)));
  const clock = createFakeClock();
  const service = await openService(
    {
      ...OPTIONS,
      service: { kind: 'service', baseUrl: server.baseUrl, credentials: null },
      env: { ONE: 'token-one-of-the-test', TWO: 'token-two-of-the-test' },
      clock,
      budget: runBudget({ clock, share: 4 / 1200 }),
    },
    openReadClient,
    () => undefined,
  );
  const start = clock.now();
  const [one, two] = [service.client('ONE'), service.client('TWO')];
  for (const client of [one, two, one, two, two]) {
    await client.get('/zones');
  }
  await service.close();
  expect(clock.now() - start).toBe(300_250);
});
