import { execFile } from 'node:child_process';
import { mkdir, mkdtemp, readdir, realpath, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, expect, it } from 'vitest';

const ROOT = join(import.meta.dirname, '..', '..');
const run = promisify(execFile);

let folder: string;
beforeAll(async () => {
  folder = await realpath(await mkdtemp(join(tmpdir(), 'rulewright-packed-')));
  await run('npm', ['pack', '--ignore-scripts', '--pack-destination', folder], { cwd: ROOT });
  await mkdir(join(folder, 'node_modules'));
  await mkdir(join(folder, 'project'));
  await run('tar', ['-xzf', await archive(), '-C', 'node_modules'], { cwd: folder });
});
afterAll(() => rm(folder, { recursive: true }));

const packed = (path: string): string => join(folder, 'node_modules/package', path);

/** Runs the packed command, without this repository and without the packages that it depends on. */
async function rulewright(...argv: readonly string[]): Promise<string> {
  const env = { PATH: process.env['PATH'], NO_COLOR: '1' };
  const main = packed('dist/cli/main.js');
  return (await run(process.execPath, [main, ...argv], { cwd: join(folder, 'project'), env })).stdout;
}

it('does from the packed files alone what a new user does first', async () => {
  expect(await rulewright('version')).toContain(`Node ${process.version} `);
  await rulewright('init', '--all-zones', '--account', 'Example Shop', '--emulator');
  expect(await rulewright('validate')).toContain('Valid');
  expect(await rulewright('plan', '--emulator', '--exit-code')).toContain('No changes');
  expect(await rulewright('schema', 'zone')).toContain('"entrypoints"');
});

it('packs what its manifest names, and nothing of the sources or the tests', async () => {
  const { stdout } = await run('tar', ['-tzf', await archive()]);
  const tops = new Set(
    stdout
      .trim()
      .split('\n')
      .map((path) => path.split('/')[1]),
  );
  expect(tops).toEqual(
    new Set(['CHANGELOG.md', 'LICENSE', 'README.md', 'dist', 'docs', 'examples', 'package.json', 'schemas']),
  );
});

async function archive(): Promise<string> {
  const found = (await readdir(folder)).find((name) => name.endsWith('.tgz'));
  return join(folder, found ?? 'nothing was packed');
}
