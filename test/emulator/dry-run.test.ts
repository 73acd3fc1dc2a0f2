import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';

import { propertyRuns } from '../property-runs.ts';
import { account, api, blockRule, entryPoint, refusalOf, shop, startBench } from './bench.ts';
import type { RulesetView } from './bench.ts';

const CUSTOM = 'http_request_firewall_custom';
const UNKNOWN = '0'.repeat(32);

/** One call of every mutation, good or bad, against the seed. */
async function mutations(bench: Awaited<ReturnType<typeof startBench>>) {
  const { id, rules } = await bench.ok('GET', entryPoint(api, CUSTOM));
  const custom = (await bench.ok<readonly RulesetView[]>('GET', `${account}/rulesets`)).find(
    ({ kind }) => kind === 'custom',
  );
  await bench.ok('PUT', entryPoint(api, CUSTOM), { description: 'so that there are two versions' });
  const rule = `${api}/rulesets/${id}/rules/${rules?.[0]?.id}`;
  return [
    ['POST', `${shop}/rulesets`, { name: 'x', kind: 'custom', phase: CUSTOM, rules: [blockRule()] }],
    ['POST', `${shop}/rulesets`, { name: 'x', kind: 'zone', phase: CUSTOM }],
    ['PUT', `${api}/rulesets/${id}`, { rules: [blockRule()] }],
    ['PUT', `${api}/rulesets/${id}`, { rules: [{ id: UNKNOWN }] }],
    ['DELETE', `${api}/rulesets/${id}`, undefined],
    ['DELETE', `${account}/rulesets/${custom?.id}`, undefined],
    ['DELETE', `${api}/rulesets/${id}/versions/9`, undefined],
    ['DELETE', `${api}/rulesets/${id}/versions/10`, undefined],
    ['PUT', entryPoint(api, CUSTOM), { rules: [] }],
    ['PUT', entryPoint(shop, 'http_request_origin'), { rules: [] }],
    ['PUT', entryPoint(shop, 'http_request_origin'), { rules: [blockRule()] }],
    ['POST', `${api}/rulesets/${id}/rules`, blockRule({ position: { index: 1 } })],
    ['POST', `${api}/rulesets/${id}/rules`, blockRule({ expression: '' })],
    ['PATCH', rule, { position: { after: '' } }],
    ['PATCH', rule, blockRule()],
    ['PATCH', rule, { enabled: true }],
    ['DELETE', rule, undefined],
    ['DELETE', `${api}/rulesets/${id}/rules/${UNKNOWN}`, undefined],
  ] as const;
}

describe('dry_run=true', () => {
  test('answers as the real call would, without a result, and stores nothing', async () => {
    const bench = await startBench();
    const cases = await mutations(bench);
    const before = bench.service.store.content();
    for (const [method, path, body] of cases) {
      const tried = await bench.call<null>(method, `${path}?dry_run=true`, body);
      expect(bench.service.store.content()).toEqual(before);
      const real = await bench.call(method, path, body);
      const shown = real.status === 200 ? { ...real.body, result: null } : real.body;
      expect([path, tried.status, tried.body]).toEqual([path, real.status, shown]);
      bench.service.store.load(before);
    }
  });

  test('is recorded as a request that wrote nothing', async () => {
    const bench = await startBench();
    await bench.ok('PUT', `${entryPoint(api, CUSTOM)}?dry_run=true`, { rules: [] });
    expect(bench.service.requests).toEqual([
      {
        method: 'PUT',
        path: `/client/v4${entryPoint(api, CUSTOM)}?dry_run=true`,
        status: 200,
        wrote: false,
      },
    ]);
  });

  test('leaves the store unchanged after any sequence of calls', async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(fc.nat(17), { maxLength: 4 }), async (picks) => {
        const bench = await startBench();
        const cases = await mutations(bench);
        const before = bench.service.store.content();
        for (const pick of picks) {
          const [method, path, body] = cases[pick] ?? cases[0];
          await bench.call(method, `${path}?dry_run=true`, body);
        }
        expect(bench.service.store.content()).toEqual(before);
        expect(bench.service.store.rulesets.all().map(({ id }) => id)).toEqual(
          before.rulesets.map(({ id }) => id),
        );
      }),
      { numRuns: Math.min(propertyRuns(), 500) },
    );
  });
});

describe('other values of dry_run', () => {
  test('false is a real call', async () => {
    const bench = await startBench();
    const ruleset = await bench.ok('PUT', `${entryPoint(api, CUSTOM)}?dry_run=false`, { rules: [] });
    expect(ruleset.version).toBe('10');
  });

  test.each(['', 'yes', '1', 'TRUE', 'True'])('%j is refused before any look-up', async (value) => {
    const bench = await startBench();
    const path = `${api}/rulesets/${UNKNOWN}/rules/${UNKNOWN}?dry_run=${value}`;
    const reply = await bench.call('DELETE', path);
    expect(reply.status).toBe(400);
    expect(refusalOf(reply)).toMatchObject({ code: undefined, pointer: undefined });
    expect((await bench.call('DELETE', path.replace(`=${value}`, '=true'))).status).toBe(404);
  });

  test('reads ignore dry_run', async () => {
    const bench = await startBench();
    expect(await bench.ok('GET', `${entryPoint(api, CUSTOM)}?dry_run=nonsense`)).toHaveProperty('id');
  });
});

test('a service that ignores dry_run writes', async () => {
  const bench = await startBench({ switches: { dryRun: 'ignored' } });
  const path = entryPoint(api, CUSTOM);
  expect(await bench.ok('PUT', `${path}?dry_run=true`, { rules: [] })).toMatchObject({ version: '10' });
  expect(await bench.ok('PUT', `${path}?dry_run=what`, { rules: [] })).toMatchObject({ version: '11' });
});
