import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';

import type { ImportBench } from './import-bench.ts';
import { openImportBench, stepsOf } from './import-bench.ts';

// In shop.example, block-admin stands between rules of others: it is neither first nor last.

const PHASE = 'http_request_firewall_custom';
const SCOPE = { zones: ['shop.example'] };

let bench: ImportBench;
beforeAll(async () => {
  bench = await openImportBench();
});
beforeEach(async () => {
  await bench.reset();
  mkdirSync(join(bench.folder, 'zones'));
  writeFileSync(join(bench.folder, 'rulewright.yaml'), 'version: 1\nfiles: [zones/*.yaml]\n');
});
afterAll(() => bench.close());

function declare(zone: string, text: string): void {
  writeFileSync(join(bench.folder, 'zones/own.yaml'), `zone: ${zone}\nentrypoints:\n${text}`);
}

test.each([
  ['first', 'before'],
  ['last', 'behind'],
])(
  'import reports that place: %s does not hold live, and takes over everything else',
  async (place, side) => {
    declare(
      'shop.example',
      `  ${PHASE}:
    ownership: { rules: [block-*] }
    place: ${place}
    rules:
      - { ref: block-admin, expression: ssl, action: log }
  http_request_cache_settings:
    rules: []
`,
    );
    const dry = await bench.import({ ...SCOPE, dryRun: true });
    const { scopes, written } = await bench.import(SCOPE);
    expect(written).toEqual(['zones/own.yaml']);
    expect(scopes).toMatchObject([
      {
        kind: 'changed',
        kept: [
          expect.stringContaining(
            `${PHASE}: place: ${place} does not hold live: rules of others stand ${side} yours (`,
          ),
        ],
      },
    ]);
    expect(dry.scopes).toEqual(scopes);
    const text = bench.files()['zones/own.yaml'] ?? '';
    expect(text).toContain(`place: ${place}\n`);
    expect(text).toContain('/admin');
    expect(text).toContain('ref: cache-images');
    expect((await bench.plan()).scopes).toMatchObject([{ steps: [{ changes: [{ kind: 'move' }] }] }]);
    expect((await bench.import(SCOPE)).scopes).toMatchObject([{ kind: 'differs', kept: [/place/] }]);
  },
);

test.each([
  ['first', 'shop.example', 'http_request_cache_settings', 'cache-images'],
  ['last', 'api.example', PHASE, 'challenge-unknown-networks'],
])('import reports nothing about place: %s that holds live', async (place, zone, phase, ref) => {
  declare(zone, `  ${phase}:\n    ownership: { rules: [${ref}] }\n    place: ${place}\n    rules: []\n`);
  const { scopes } = await bench.import({ zones: [zone] });
  expect(scopes).toMatchObject([{ kind: 'changed', kept: [], rules: 1 }]);
  expect(stepsOf(await bench.plan())).toEqual([]);
});
