import { execFile } from 'node:child_process';
import { cp, mkdtemp, readFile, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { expect, test } from 'vitest';
import { copyExample } from '../copy-project.ts';

const run = promisify(execFile);

const COPIED = [
  'bench',
  'schemas',
  'scripts',
  'src',
  'test',
  'package.json',
  'tsconfig.json',
  'vitest.config.ts',
];

/** What is only about the folder. */
const WITH_IT = ['src/legacy', 'test/legacy', 'bench/deprecations.bench.ts'];

const EXTENSIONS = 'src/extensions.ts';

test('without src/legacy and one line, the program compiles, is built and plans', async () => {
  const copy = await mkdtemp(join(tmpdir(), 'rulewright-without-legacy-'));
  try {
    for (const path of COPIED) {
      await cp(path, join(copy, path), { recursive: true });
    }
    await symlink(join(process.cwd(), 'node_modules'), join(copy, 'node_modules'));
    for (const path of WITH_IT) {
      await rm(join(copy, path), { recursive: true });
    }
    await writeFile(join(copy, EXTENSIONS), withoutLegacy(await readFile(EXTENSIONS, 'utf8')));

    await run('node_modules/.bin/tsc', ['-p', 'tsconfig.json'], { cwd: copy });
    await run('node', ['scripts/build.mjs', '--quiet'], { cwd: copy });
    const program = join(copy, 'dist/cli/main.js');
    const { stdout: help } = await run('node', [program, '--help']);
    expect(help).not.toMatch(/^ {2}(?:firewall|ratelimits|waf|deprecations) /mu);
    const project = join(copy, 'shop');
    await copyExample('shop', project);
    const planning = run('node', [program, 'plan', '--emulator', '--format', 'json'], { cwd: project });
    const { stdout } = await planning.catch((error: unknown) => endedWithDifferences(error));
    expect(JSON.parse(stdout)).toMatchObject({
      kind: 'plan',
      scopes: expect.not.arrayContaining([expect.objectContaining({ kind: 'failed' })]),
    });
  } finally {
    await rm(copy, { recursive: true, force: true });
  }
}, 600_000);

/** Returns the file with the line that its comment gives in place of the one that imports the folder. */
function withoutLegacy(text: string): string {
  const [, instead = ''] = /^ \* +(export const .*)$/mu.exec(text) ?? [];
  const imports = text.split('\n').filter((line) => line.includes("from './legacy/"));
  expect([instead, imports]).toEqual([expect.stringContaining('{}'), [expect.any(String)]]);
  return text.replace(imports[0] ?? '', instead);
}

/** Returns what a command printed that ended with exit code 2. */
function endedWithDifferences(error: unknown): { readonly stdout: string } {
  if (error instanceof Error && 'code' in error && error.code === 2 && 'stdout' in error) {
    return { stdout: String(error.stdout) };
  }
  throw error;
}
