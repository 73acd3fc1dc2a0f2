import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';

import type { ImportBench } from './import-bench.ts';
import { openImportBench, stepsOf } from './import-bench.ts';

// In shop.example, `ownership` gives this project one rule, by the ref pattern block-*; the other rules belong to others.

const SHARED = 'version: 1\nfiles: [zones/*.yaml]\nownership: { rules: ["block-*"] }\n';
const SCOPE = { zones: ['shop.example'] };
/** Also imports rulesets that no file declares yet. */
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

test('import creates the first files of a project whose rulewright.yaml was written by hand', async () => {
  write('rulewright.yaml', 'version: 1\nfiles: [zones/*.yaml, accounts/*.yaml]\n');
  const { written } = await bench.import({ ...SCOPE, accounts: ['Example Shop'] });
  expect(written).toEqual(['accounts/example-shop.yaml', 'zones/shop.example.yaml']);
  expect(stepsOf(await bench.plan())).toEqual([]);
});

test('import reports phases without an owned rule instead of writing them, and counts owned rules only', async () => {
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

test('import reports rulesets that the file of a scope does not declare; a file that declares none gets all', async () => {
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

test('import empties a declared phase when none of the owned rules is live any more', async () => {
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

test('import writes every rule of a phase that its file owns as a whole', async () => {
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
