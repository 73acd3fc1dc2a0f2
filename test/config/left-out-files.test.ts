import { symlink } from 'node:fs/promises';
import { join } from 'node:path';

import { expect, test } from 'vitest';

import { loadProject } from '../../src/config/load-project.ts';
import type { Files } from './project-folder.ts';
import { brief, inFolder, loadFiles } from './project-folder.ts';

const PROJECT = (files: string): Files => ({ 'rulewright.yaml': `version: 1\nfiles: ${files}\n` });
const ZONE = (name: string): string => `zone: ${name}.example\nentrypoints: {}\n`;

test.each<[string, Files, readonly string[]]>([
  [
    'with the other ending of YAML',
    {
      ...PROJECT('[zones/*.yaml]'),
      'zones/a.yaml': ZONE('a'),
      'zones/b.yml': `# Ours\n${ZONE('b')}`,
      'zones/C.YAML': 'zones: [c.example]\n',
    },
    ['zones/C.YAML:1:1', 'zones/b.yml:2:1'],
  ],
  [
    'a folder deeper',
    {
      ...PROJECT('["{accounts,zones}/*.yaml"]'),
      'zones/a.yaml': ZONE('a'),
      'zones/eu/b.yaml': ZONE('b'),
      'accounts/x/y/c.yml': '"account" : Main\n',
    },
    ['accounts/x/y/c.yml:1:1', 'zones/eu/b.yaml:1:1'],
  ],
  [
    'beside one that is named',
    {
      ...PROJECT('[a.yaml, zones/b.yaml]'),
      'a.yaml': ZONE('a'),
      'zones/b.yaml': ZONE('b'),
      'zones/c.yaml': ZONE('c'),
      'd.yml': ZONE('d'),
    },
    ['d.yml:1:1', 'zones/c.yaml:1:1'],
  ],
  [
    'where a pattern matches nothing for it',
    { ...PROJECT('[zones/*.yaml]'), 'zones/a.yml': ZONE('a') },
    ['rulewright.yaml:2:9', 'zones/a.yml:1:1'],
  ],
  [
    'and of none that is no such file, or that a pattern leaves out by its name',
    {
      ...PROJECT('["*.yaml", zones/prod-*.yaml]'),
      'a.yaml': ZONE('a'),
      'tests/a.test.yaml': 'zone: a.example\ntests: []\n',
      'a.test.yml': 'zone: a.example\ntests: []\n',
      'requests.yml': 'zone: a.example\ntests: []\n',
      'values.yml': 'defaults: { zone: a.example }\n',
      'packs/b.yml': 'pack: b\nrules: []\n',
      'zones/prod-a.yaml': ZONE('b'),
      'zones/_template.yaml': ZONE('c'),
      'zones/staging-a.yaml': ZONE('d'),
      'zones/prod-.txt': ZONE('e'),
      'zones/.prod-old.yml': ZONE('f'),
      'zones/node_modules/prod-x.yaml': ZONE('g'),
      '.github/zone.yml': ZONE('h'),
      'examples/first/a.yaml': ZONE('i'),
    },
    [],
  ],
  [
    'and of none of another project',
    {
      ...PROJECT('[zones/a.yaml, "teams/*.yaml"]'),
      'zones/a.yaml': ZONE('a'),
      'zones/b.yaml': ZONE('b'),
      'staging.yml': 'version: 1\nfiles: [zones/b.yaml]\n',
      'teams/x.yaml': ZONE('c'),
      'teams/own/rulewright.yaml': 'version: 1\nfiles: ["zones/*.yaml"]\n',
      'teams/own/zones/d.yaml': ZONE('d'),
    },
    [],
  ],
])('a file that no pattern matches is reported %s', async (_, files, places) => {
  const { diagnostics } = await loadFiles(files);
  expect(diagnostics.map((one) => brief(one).split(' ')[0])).toEqual(places);
  expect(
    diagnostics.flatMap(({ code, severity }) => (code === 'config/file-left-out' ? [severity] : [])),
  ).toEqual(places.filter((place) => !place.startsWith('rulewright')).map(() => 'warning'));
});

test('a file that no pattern matches is not reported in a run on one file, or with the lint setting off', async () => {
  const files = { ...PROJECT('[zones/*.yaml]'), 'zones/a.yaml': ZONE('a'), 'zones/b.yml': ZONE('b') };
  const narrowed = await inFolder(files, (root) => loadProject({ cwd: root, paths: ['zones/a.yaml'] }));
  expect(narrowed.diagnostics).toEqual([]);
  const off = { ...files, ...PROJECT('[zones/*.yaml]\nlint: { config/file-left-out: off }') };
  expect((await loadFiles(off)).diagnostics).toEqual([]);
});

test('a file that is loaded through a link is not reported at its own path', async () => {
  const files = {
    ...PROJECT('[zones/*.yaml]'),
    'zones/a.yaml': ZONE('a'),
    'zones/all/b.yaml': ZONE('b'),
    'zones/all/c.yaml': ZONE('c'),
  };
  const { diagnostics } = await inFolder(files, async (root) => {
    await symlink('all/b.yaml', join(root, 'zones/b.yaml'));
    return loadProject({ cwd: root });
  });
  expect(diagnostics.map((one) => brief(one).split(' ')[0])).toEqual(['zones/all/c.yaml:1:1']);
});
