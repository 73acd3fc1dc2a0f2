import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { readOctorules } from '../../../src/app/octorules/read-octorules.ts';

let folder: string;

/** Writes files of rules, by name. */
async function write(files: Readonly<Record<string, string>>): Promise<void> {
  await Promise.all(
    Object.entries(files).map(([name, text]) => writeFile(join(folder, 'rules', name), text)),
  );
}

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'rulewright-includes-'));
  await mkdir(join(folder, 'rules'));
  await writeFile(
    join(folder, 'config.yaml'),
    'providers: { cloudflare: {} }\nzones: { shop.example: { sources: [rules] } }\n',
  );
});

afterEach(async () => {
  await rm(folder, { recursive: true, force: true });
});

test('a small file that includes a large one again and again is refused', async () => {
  const includes = Array.from({ length: 20 }, (_, index) => `  k${index}: !include large.inc\n`);
  await write({
    'shop.example.yaml': `cloudflare:\n${includes.join('')}`,
    'large.inc': `|\n  ${'x'.repeat(1024 * 1024)}\n`,
  });
  await expect(readOctorules('config.yaml', folder)).rejects.toMatchObject({
    code: 'import/octorules',
    message: expect.stringContaining('large.inc is too large with all that is included'),
  });
});

test('a file among those of the zones that others include is none of a zone', async () => {
  await write({
    'shop.example.yaml': 'waf_custom_rules: !include waf.yaml\n',
    'waf.yaml': "- { ref: a, expression: 'true', action: log }\n",
  });
  const { accounts, notes, resources } = await readOctorules('config.yaml', folder);
  expect([accounts, resources.rulesets.map(({ rules }) => rules.length)]).toEqual([[], [1]]);
  expect(notes).toEqual([expect.stringContaining('rules/waf.yaml is the file of no zone or account')]);
  await write({ 'shop.example.yaml': 'waf_custom_rules: !include ../waf.yaml\n' });
  await expect(readOctorules('config.yaml', folder)).rejects.toThrow('lies outside of the folder rules');
});
