import { mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';

import { rulewright } from './in-process.ts';

const CONVERT = ['firewall', 'convert', 'blog.example', '--order', 'priority', '--emulator'];
const BARE_LF = /(?<!\r)\n/u;

/** A project whose lines all end with CR LF. */
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
    run: async (words: readonly string[]) => (await rulewright(words, { cwd })).code,
    read: (file: string) => readFile(join(cwd, file), 'utf8'),
    write: (file: string, text: string) => writeFile(join(cwd, file), text),
  };
}

test('firewall convert keeps CR LF in a zone file that it adds rules to', async () => {
  const { run, read } = await crlfProject();
  expect(await run([...CONVERT, '--out', 'zones/blog.yaml'])).toBe(0);
  const text = await read('zones/blog.yaml');
  expect(text).toContain('    rules: []\r\n');
  expect(text).toContain('- ref: firewall-rule-');
  expect(text).not.toMatch(BARE_LF);
  expect(await run(['plan', '--emulator'])).toBe(0);
});

test('fmt and validate --fix keep CR LF', async () => {
  const { run, read, write } = await crlfProject();
  await write(
    'zones/blog.yaml',
    'zone: "blog.example"\r\nentrypoints:\r\n  http_request_firewall_custom:\r\n    rules:\r\n      - expression: |\r\n          ip.geoip.country eq "DE"\r\n          and ssl\r\n        action: block\r\n',
  );
  expect(await run(['validate', '--fix'])).toBe(0);
  const fixed = await read('zones/blog.yaml');
  expect(fixed).toContain('ip.src.country eq "DE"\r\n');
  expect(fixed).not.toMatch(BARE_LF);
  expect(await run(['fmt'])).toBe(0);
  const formatted = await read('zones/blog.yaml');
  expect(formatted).toContain('zone: blog.example\r\n');
  expect(formatted).not.toMatch(BARE_LF);
  expect(await run(['fmt', '--check'])).toBe(0);
});

test('fmt writes LF to a file that has both line ends', async () => {
  const { run, read, write } = await crlfProject();
  await write('zones/blog.yaml', 'zone: blog.example\r\nentrypoints: {}\n');
  expect(await run(['fmt'])).toBe(0);
  expect(await read('zones/blog.yaml')).toBe('zone: blog.example\nentrypoints: {}\n');
});

test('import keeps CR LF in the project file when it adds a pattern to it', async () => {
  const { run, read } = await crlfProject();
  expect(await run(['import', '--account', 'Example Shop', '--emulator'])).toBe(0);
  const text = await read('rulewright.yaml');
  expect(text).toContain('  - accounts/*.yaml\r\n');
  expect(text).not.toMatch(BARE_LF);
});
