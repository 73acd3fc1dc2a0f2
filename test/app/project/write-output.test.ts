import { chmod, mkdtemp, readFile, readdir, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { writeOutput } from '../../../src/app/project/write-output.ts';

let cwd = '';

beforeEach(async () => {
  cwd = await mkdtemp(join(tmpdir(), 'rulewright-output-'));
});

afterEach(() => rm(cwd, { recursive: true, force: true }));

function* pieces(end: () => void): Iterable<string> {
  yield 'one\n';
  yield 'zwölf\n';
  end();
}

it('writes all pieces of a text over a longer file', async () => {
  await writeFile(join(cwd, 'result'), 'what was there, and longer\n');
  await writeOutput(
    { cwd, path: 'result' },
    pieces(() => undefined),
  );
  expect(await readFile(join(cwd, 'result'), 'utf8')).toBe('one\nzwölf\n');
});

it('keeps the old file, and leaves no other file, when making a piece throws', async () => {
  await writeFile(join(cwd, 'result'), 'what was there\n');
  const reason = new Error('no further');
  const failing = pieces(() => {
    throw reason;
  });
  await expect(writeOutput({ cwd, path: 'result' }, failing)).rejects.toBe(reason);
  expect([await readFile(join(cwd, 'result'), 'utf8'), await readdir(cwd)]).toEqual([
    'what was there\n',
    ['result'],
  ]);
});

it('replaces a read-only file, and keeps it read-only', async () => {
  await writeFile(join(cwd, 'result'), 'what was there\n');
  await chmod(join(cwd, 'result'), 0o444);
  await writeOutput({ cwd, path: 'result' }, 'new\n');
  const { mode } = await stat(join(cwd, 'result'));
  expect([await readFile(join(cwd, 'result'), 'utf8'), mode & 0o777]).toEqual(['new\n', 0o444]);
});
