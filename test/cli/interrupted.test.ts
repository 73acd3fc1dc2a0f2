import { afterEach, beforeEach, expect, it } from 'vitest';
import { mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { rulewright } from './in-process.ts';

let cwd = '';

beforeEach(async () => {
  cwd = await mkdtemp(join(tmpdir(), 'rulewright-interrupted-'));
  await mkdir(join(cwd, 'tests'));
  await writeFile(join(cwd, 'rulewright.yaml'), 'version: 1\nfiles: [zone.yaml]\n');
  await writeFile(join(cwd, 'zone.yaml'), "zone:   'shop.example'\nentrypoints: {}\n");
  await writeFile(
    join(cwd, 'tests/a.test.yaml'),
    'zone: shop.example\ntests: [{ name: a, request: { path: / }, expect: { outcome: pass } }]\n',
  );
});

afterEach(() => rm(cwd, { recursive: true, force: true }));

it.each([['fmt'], ['test'], ['validate']])(
  '%s exits with 130 and writes nothing when it is interrupted',
  async (command) => {
    const { code, stderr } = await rulewright([command], { cwd, signal: AbortSignal.abort() });
    expect([code, stderr]).toEqual([130, 'Interrupted. Nothing was written.\n']);
    expect(await readFile(join(cwd, 'zone.yaml'), 'utf8')).toContain("zone:   'shop");
  },
);
