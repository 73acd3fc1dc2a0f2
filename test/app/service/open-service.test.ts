import { describe, expect, it } from 'vitest';
import { openReadClient } from '../../../src/api/client.ts';
import { openService } from '../../../src/app/service/open-service.ts';
import type { ServiceOptions } from '../../../src/app/service/service-options.ts';
import { NO_CACHE } from '../../../src/live/ruleset-cache.ts';

const OPTIONS: ServiceOptions = {
  service: {
    kind: 'service',
    baseUrl: 'http://127.0.0.1:9',
    credentials: { kind: 'token', token: 'a-token-of-the-test' },
  },
  env: {},
  concurrency: 1,
  cache: { folder: '/nowhere/cache', sweepDays: null },
};

async function isCached(options: Partial<ServiceOptions>): Promise<boolean> {
  const service = await openService({ ...OPTIONS, ...options }, openReadClient, () => undefined);
  return service.cache(undefined) !== NO_CACHE;
}

describe('the version cache of a run', () => {
  it('serves where it was asked for', async () => {
    expect(await isCached({})).toBe(true);
  });

  it('serves a run that knows its sensitive values, which are kept out of it', async () => {
    const sensitive = [{ reference: '<sensitive:EDGE_SECRET>', value: 'a-value-of-the-test' }];
    expect(await isCached({ sensitive })).toBe(true);
  });

  it('is left alone where a sensitive value is not known, since it could not be kept out', async () => {
    expect(await isCached({ missing: ['EDGE_SECRET'] })).toBe(false);
  });
});
