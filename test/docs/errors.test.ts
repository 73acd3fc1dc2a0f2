import { readFile, readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { ERROR_CODES } from '../../src/model/error.ts';

const ROOT = new URL('../../', import.meta.url).pathname;
const TABLE = 'model/error-code.ts';

it('docs/errors.md has every error code with its meaning, in alphabetical order', async () => {
  const page = await readFile(join(ROOT, 'docs/errors.md'), 'utf8');
  const rows = [...page.matchAll(/^\| `([^`]+)` +\| (.+?) +\|$/gm)].map(([, code, meaning]) => [
    code,
    meaning,
  ]);
  expect(rows).toEqual(Object.entries(ERROR_CODES));
  expect(Object.keys(ERROR_CODES)).toEqual(Object.keys(ERROR_CODES).toSorted());
});

it('every error code occurs in a source file', async () => {
  const files = (await readdir(join(ROOT, 'src'), { recursive: true })).filter(
    (path) => path.endsWith('.ts') && path !== TABLE,
  );
  const texts = await Promise.all(files.map((path) => readFile(join(ROOT, 'src', path), 'utf8')));
  const source = texts.join('\n');
  expect(Object.keys(ERROR_CODES).filter((code) => !source.includes(`'${code}'`))).toEqual([]);
});
