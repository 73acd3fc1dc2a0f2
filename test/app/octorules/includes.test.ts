import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { readOctorules } from '../../../src/app/octorules/read-octorules.ts';

test('a small file that includes a large one again and again is refused', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'rulewright-includes-'));
  try {
    await mkdir(join(folder, 'rules'));
    await writeFile(
      join(folder, 'config.yaml'),
      'providers: { cloudflare: {} }\nzones: { shop.example: { sources: [rules] } }\n',
    );
    const includes = Array.from({ length: 20 }, (_, index) => `  k${index}: !include large.inc\n`);
    await writeFile(join(folder, 'rules', 'shop.example.yaml'), `cloudflare:\n${includes.join('')}`);
    await writeFile(join(folder, 'rules', 'large.inc'), `|\n  ${'x'.repeat(1024 * 1024)}\n`);
    await expect(readOctorules('config.yaml', folder)).rejects.toMatchObject({
      code: 'import/octorules',
      message: expect.stringContaining('large.inc is too large with all that is included'),
    });
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
});

test('a file among those of the zones that others include is none of a zone', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'rulewright-includes-'));
  try {
    await mkdir(join(folder, 'rules'));
    await writeFile(
      join(folder, 'config.yaml'),
      'providers: { cloudflare: {} }\nzones: { shop.example: { sources: [rules] } }\n',
    );
    await writeFile(join(folder, 'rules', 'shop.example.yaml'), 'waf_custom_rules: !include waf.yaml\n');
    await writeFile(join(folder, 'rules', 'waf.yaml'), "- { ref: a, expression: 'true', action: log }\n");
    const { accounts, notes, resources } = await readOctorules('config.yaml', folder);
    expect([accounts, resources.rulesets.map(({ rules }) => rules.length)]).toEqual([[], [1]]);
    expect(notes).toEqual([expect.stringContaining('rules/waf.yaml is the file of no zone or account')]);
    await writeFile(join(folder, 'rules', 'shop.example.yaml'), 'waf_custom_rules: !include ../waf.yaml\n');
    await expect(readOctorules('config.yaml', folder)).rejects.toThrow('lies outside of the folder rules');
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
});
