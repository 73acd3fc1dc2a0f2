import { mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';

import { rulewright } from './in-process.ts';

const CONVERT = ['firewall', 'convert', 'blog.example', '--order', 'priority'];
const BARE_LF = /(?<!\r)\n/u;

/** A project of which each line ends with CR LF. */
async function crlfProject() {
  const cwd = await mkdtemp(join(tmpdir(), 'rulewright-crlf-'));
  onTestFinished(() => rm(cwd, { recursive: true }));
  await mkdir(join(cwd, 'zones'));
  await writeFile(join(cwd, 'rulewright.yaml'), 'version: 1\r\nfiles:\r\n  - zones/*.yaml\r\n');
  await writeFile(
    join(cwd, 'zones', 'blog.yaml'),
    'zone: blog.example\r\nentrypoints:\r\n  http_request_transform:\r\n    rules: []\r\n',
  );
  return {
    run: async (words: readonly string[]) => (await rulewright([...words, '--emulator'], { cwd })).code,
    read: (file: string) => readFile(join(cwd, file), 'utf8'),
  };
}

test('a zone file that convert adds to keeps CR LF', async () => {
  const { run, read } = await crlfProject();
  expect(await run([...CONVERT, '--out', 'zones/blog.yaml'])).toBe(0);
  const text = await read('zones/blog.yaml');
  expect(text).toContain('    rules: []\r\n');
  expect(text).toContain('- ref: firewall-rule-');
  expect(text).not.toMatch(BARE_LF);
  expect(await run(['plan'])).toBe(0);
});

test('a project file that import names new files in keeps CR LF', async () => {
  const { run, read } = await crlfProject();
  expect(await run(['import', '--account', 'Example Shop'])).toBe(0);
  const text = await read('rulewright.yaml');
  expect(text).toContain('  - accounts/*.yaml\r\n');
  expect(text).not.toMatch(BARE_LF);
});
