import { expect, test } from 'vitest';

import { refusalOf, shop, startBench } from './bench.ts';

const CACHE = `${shop}/rulesets/phases/http_request_cache_settings/entrypoint`;

const NEWER = {
  cache: true,
  cache_key: { of_next_year: { deep: [1] } },
  next_setting: { enabled: true },
};

const cases = [
  ['parameters', { expression: 'true', action_parameters: NEWER }, 'unknown field "of_next_year"'],
  ['parameters', { expression: 'true', action_parameters: { next_setting: 1 } }, 'unknown field'],
  [
    'expressionNames',
    { expression: 'cf.next.field eq 1', action_parameters: { cache: true } },
    'unknown identifier',
  ],
  [
    'expressionNames',
    { expression: 'next_function(http.host)', action_parameters: { cache: true } },
    'unknown identifier',
  ],
] as const;

test.each(cases)('a newer service is switched on by %s: %j', async (name, rule, refusal) => {
  const body = { rules: [{ action: 'set_cache_settings', ...rule }] };
  const today = await startBench();
  expect(refusalOf(await today.call('PUT', CACHE, body)).message).toContain(refusal);
  const newer = await startBench();
  const switched = await newer.control('PUT', '/switches', { [name]: 'any' });
  expect(switched.status).toBe(200);
  expect((await newer.ok('PUT', CACHE, body)).rules).toMatchObject([rule]);
});

test.each([
  ['parameters', { expression: 'true', action_parameters: { ...NEWER, cache: 'yes' } }],
  ['expressionNames', { expression: 'http.host eq', action_parameters: { cache: true } }],
] as const)('a newer service still refuses what is known to be wrong, with %s', async (name, rule) => {
  const bench = await startBench({ switches: { [name]: 'any' } });
  const body = { rules: [{ action: 'set_cache_settings', ...rule }] };
  expect((await bench.call('PUT', CACHE, body)).status).toBe(400);
});
