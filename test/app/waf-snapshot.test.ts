import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';

import { CORE } from '../emulator/migration-zone.ts';
import type { BenchOptions } from './waf-bench.ts';
import { CONFIGURED, STATUS_PAGE, startWafBench } from './waf-bench.ts';

const FINISH = 'finish old.example --confirm old.example';

/** Everything that a zone can have that the migration takes away. */
const ZONE = { ...CONFIGURED, ...STATUS_PAGE };

/** What a step keeps of a zone, in the one file that it writes, and the name of that. */
async function snapshotOf(words: string, options: BenchOptions) {
  const bench = await startWafBench(options);
  await bench.configure();
  const { code, stdout } = await bench.waf(words);
  expect([code, stdout]).toEqual([0, expect.stringContaining('snapshot: .rulewright/waf/')]);
  const folder = join(bench.folder, '.rulewright', 'waf');
  const [name = '', ...others] = await readdir(folder);
  expect(others).toEqual([]);
  expect(stdout).toContain(`snapshot: .rulewright/waf/${name}`);
  const text = await readFile(join(folder, name), 'utf8');
  const snapshot: Readonly<Record<string, unknown>> = JSON.parse(text);
  return { name, text, snapshot };
}

test('a snapshot holds what the migration takes away, as it was before the write', async () => {
  const { name, text, snapshot } = await snapshotOf(FINISH, { zone: ZONE });
  expect(snapshot).toMatchObject({
    kind: 'waf-snapshot',
    formatVersion: 1,
    scope: { kind: 'zone', name: 'old.example' },
    status: { oldWaf: 'enabled', newWaf: 'disabled', state: 'start' },
    entrypoint: null,
    check: { compatible: true },
    configuration: { rules: expect.arrayContaining([expect.objectContaining({ action: 'execute' })]) },
    oldWaf: {
      packages: expect.arrayContaining([
        expect.objectContaining({ name: CORE, sensitivity: 'medium', actionMode: 'simulate' }),
        expect.objectContaining({ rules: ['100007 disable'] }),
      ]),
      bypasses: ['http.request.uri.path eq "/feed"'],
      pageRules: [{ urls: ['old.example/status*'], says: 'disable security' }],
    },
    overrides: [],
    pageRules: [{ urls: ['old.example/status*'] }],
    notRead: [],
  });
  const { at } = snapshot;
  expect(name).toBe(`old.example-${String(at).replaceAll(/[.:]/gu, '-')}.json`);
  // People read it, and compare it.
  expect(text).toMatch(/^\{\n {2}"kind"/u);
});

test.each([
  ['waf_migration/check', 'check', { check: null }],
  ['waf_migration/config', 'configuration', { configuration: null }],
  ['firewall/waf/overrides', 'overrides', { overrides: null }],
  ['firewall/waf/packages', 'settings of the old WAF', { oldWaf: { packages: null } }],
  ['firewall/rules', 'firewall rules', { oldWaf: { bypasses: null } }],
  ['pagerules', 'page rules', { pageRules: null, oldWaf: { pageRules: null } }],
])('a snapshot names %s, which cannot be read, and is not empty there', async (path, named, part) => {
  const errors = [{ code: 10_000, message: 'Authentication error' }];
  const faults = {
    method: 'GET',
    path: `/zones/*/${path}`,
    // The first is for the configuration.
    nth: [2, 3, 4, 5],
    effect: { kind: 'error', status: 403, errors },
  };
  const { snapshot } = await snapshotOf(FINISH, { zone: ZONE, faults });
  expect(snapshot).toMatchObject(part);
  expect(snapshot['notRead']).toContainEqual(expect.stringMatching(`^${named}: .*Authentication error`));
});
