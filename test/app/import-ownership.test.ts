import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';

import type { ImportBench } from './import-bench.ts';
import { openImportBench, stepsOf } from './import-bench.ts';

// shop.example has one rule called block-*; all its other rules are of others.

const SHARED = 'version: 1\nfiles: [zones/*.yaml]\nownership: { rules: ["block-*"] }\n';
const SCOPE = { zones: ['shop.example'] };
/** What no file declares yet comes too. */
const WHOLE = { ...SCOPE, unmanaged: true };
const NOT_OURS = 'none of its rules has a ref that `ownership` gives to this project';

let bench: ImportBench;
beforeAll(async () => {
  bench = await openImportBench();
});
beforeEach(async () => {
  await bench.reset();
  mkdirSync(join(bench.folder, 'zones'));
});
afterAll(() => bench.close());

function write(path: string, text: string): void {
  writeFileSync(join(bench.folder, path), text);
}

test('a project file that was written by hand may have no files yet', async () => {
  write('rulewright.yaml', 'version: 1\nfiles: [zones/*.yaml, accounts/*.yaml]\n');
  const { written } = await bench.import({ ...SCOPE, accounts: ['Example Shop'] });
  expect(written).toEqual(['accounts/example-shop.yaml', 'zones/shop.example.yaml']);
  expect(stepsOf(await bench.plan())).toEqual([]);
});

test('phases in which nothing is ours are told and not written, and only our rules are counted', async () => {
  write('rulewright.yaml', SHARED);
  const { scopes } = await bench.import(SCOPE);
  expect(scopes).toMatchObject([
    {
      rulesets: 1,
      rules: 1,
      leftOut: ['http_ratelimit', 'http_request_firewall_managed', 'http_request_cache_settings'].map(
        (phase) => ({ phase, reason: NOT_OURS }),
      ),
    },
  ]);
  const text = bench.files()['zones/shop.example.yaml'] ?? '';
  expect(text).not.toContain('rules: []');
  expect(text).toContain(`#   http_ratelimit: ${NOT_OURS}\n`);
  expect(stepsOf(await bench.plan())).toEqual([]);
  expect((await bench.import(SCOPE)).written).toEqual([]);
});

test('a ruleset that the files of a scope leave out is left to others, and named; a file without any takes all', async () => {
  write('rulewright.yaml', 'version: 1\nfiles: [zones/*.yaml]\n');
  write('zones/shop.yaml', 'zone: shop.example\nentrypoints:\n  http_ratelimit:\n    rules: []\n');
  const { scopes } = await bench.import(SCOPE);
  expect(scopes).toMatchObject([
    {
      kind: 'changed',
      rulesets: 1,
      unmanaged: [
        'http_request_firewall_custom',
        'http_request_firewall_managed',
        'http_request_cache_settings',
      ],
    },
  ]);
  expect(stepsOf(await bench.plan())).toEqual([]);
  expect(bench.files()['zones/shop.yaml']).not.toContain('http_request_cache_settings');
  write('zones/shop.yaml', 'zone: shop.example\n');
  expect((await bench.import(SCOPE)).scopes).toMatchObject([{ rulesets: 4, unmanaged: [] }]);
  expect(bench.files()['zones/shop.yaml']).toContain('http_request_cache_settings');
});

test('a phase that files name follows live, also where nothing in it is ours any more', async () => {
  write('rulewright.yaml', SHARED);
  write(
    'zones/shop.yaml',
    `zone: shop.example
entrypoints:
  http_ratelimit:
    rules:
      - { ref: block-gone, expression: ssl, action: block, ratelimit: { characteristics: [cf.colo.id, ip.src], period: 60, requests_per_period: 5 } }
`,
  );
  await bench.import(WHOLE);
  const text = bench.files()['zones/shop.yaml'] ?? '';
  expect(text).toContain('  http_ratelimit:\n    rules: []\n');
  expect(text).toContain('ref: block-admin');
  expect(text).not.toContain('http_request_cache_settings');
  expect(stepsOf(await bench.plan())).toEqual([]);
  expect((await bench.import(WHOLE)).written).toEqual([]);
});

test('a phase that its file owns as a whole gets every rule', async () => {
  write('rulewright.yaml', SHARED);
  write(
    'zones/shop.yaml',
    'zone: shop.example\nentrypoints:\n  http_request_cache_settings:\n    ownership: { rules: all }\n    rules: []\n',
  );
  const { scopes } = await bench.import(WHOLE);
  expect(scopes).toMatchObject([{ kind: 'changed', kept: [], rulesets: 2, rules: 3 }]);
  expect(bench.files()['zones/shop.yaml']).toContain('ref: cache-images');
  expect(stepsOf(await bench.plan())).toEqual([]);
  expect((await bench.import(WHOLE)).written).toEqual([]);
});
