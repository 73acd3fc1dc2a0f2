import { mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { explainReadError } from '../../src/files/read-text.ts';

let folder: string;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'rulewright-unread-'));
  await mkdir(join(folder, 'zones'));
  await writeFile(join(folder, 'zones', 'shop.example.yaml'), '');
  await writeFile(join(folder, 'plan.json'), '');
});
afterAll(() => rm(folder, { recursive: true }));

async function told(named: string): Promise<string> {
  const path = join(folder, named);
  const { reason, didYouMean = '' } = await readFile(path).then(
    () => ({ reason: 'read', didYouMean: '' }),
    (error: unknown) => explainReadError(error, path, named),
  );
  return `${reason} ${didYouMean}`.trim();
}

test.each([
  ['pla.json', 'does not exist did you mean plan.json?'],
  ['zones/shpo.example.yaml', 'does not exist did you mean zones/shop.example.yaml?'],
  ['zoens/shop.example.yaml', 'does not exist did you mean zones/shop.example.yaml?'],
  ['./zoens/shop.example.yaml', 'does not exist did you mean zones/shop.example.yaml?'],
  ['zones/shop.example.yml', 'does not exist did you mean zones/shop.example.yaml?'],
  ['something-else.yaml', 'does not exist'],
  ['nowhere/else/a.yaml', 'does not exist'],
  ['plan.json/inside', 'does not exist'],
  ['zones', 'is a folder, not a file'],
])('explainReadError explains why %s cannot be read', async (named, says) => {
  expect(await told(named)).toBe(says);
});

test('explainReadError returns the message of any other error', async () => {
  expect(await explainReadError(new Error('a disk'), 'a', 'a')).toEqual({ reason: 'cannot be read: a disk' });
});
