import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { CORE } from '../../emulator/migration-zone.ts';
import type { BenchOptions } from './waf-bench.ts';
import { CONFIGURED, STATUS_PAGE, startWafBench } from './waf-bench.ts';

const FINISH = 'finish old.example --confirm old.example';

/** A zone with everything that the migration can take away. */
const ZONE = { ...CONFIGURED, ...STATUS_PAGE };

/** The one snapshot file that a step writes: its name, its text and its content. */
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

test('the snapshot holds everything that the migration takes away, as it was before the write', async () => {
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
  // Indented, because people read and compare snapshots.
  expect(text).toMatch(/^\{\n {2}"kind"/u);
});

test.each([
  ['waf_migration/check', 'check', { check: null }],
  ['waf_migration/config', 'configuration', { configuration: null }],
  ['firewall/waf/overrides', 'overrides', { overrides: null }],
  ['firewall/waf/packages', 'settings of the old WAF', { oldWaf: { packages: null } }],
  ['firewall/rules', 'firewall rules', { oldWaf: { bypasses: null } }],
  ['pagerules', 'page rules', { pageRules: null, oldWaf: { pageRules: null } }],
])(
  'the snapshot has null for %s when it cannot be read, and names it in notRead',
  async (path, named, part) => {
    const errors = [{ code: 10_000, message: 'Authentication error' }];
    const faults = {
      method: 'GET',
      path: `/zones/*/${path}`,
      // The first request belongs to the generated configuration.
      nth: [2, 3, 4, 5],
      effect: { kind: 'error', status: 403, errors },
    };
    const { snapshot } = await snapshotOf(FINISH, { zone: ZONE, faults });
    expect(snapshot).toMatchObject(part);
    expect(snapshot['notRead']).toContainEqual(expect.stringMatching(`^${named}: .*Authentication error`));
  },
);
