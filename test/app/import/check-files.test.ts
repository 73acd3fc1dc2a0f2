import { expect, test } from 'vitest';

import type { FileCheck } from '../../../src/app/import/check-files.ts';
import { checkFiles, chosenFiles } from '../../../src/app/import/check-files.ts';
import type { ScopeFiles } from '../../../src/app/import/scope-files.ts';
import { FILE, follow, live } from '../followed.ts';

// An import writes files only if a check shows that they say what is live.

const WHOLE = live({ ref: 'a' });
const EXACT: FileCheck = { kind: 'exact' };
const FAULT: FileCheck = { kind: 'fault', message: 'it does not load' };
const left = (steps: string): FileCheck => ({ kind: 'left', steps });

test('checkFiles finds fault with files that declare nothing, although they have no error', () => {
  expect(checkFiles({ scopes: [], diagnostics: [] }, WHOLE)).toMatchObject({ kind: 'fault' });
});

/** Which of the two updates `chosenFiles` chooses: the one by values or the one by fields. */
async function choose(values: FileCheck, fields: FileCheck, kept: readonly string[] = []): Promise<string> {
  const files = await follow('zone: shop.example\nentrypoints: {}\n', WHOLE);
  const made = (name: string): ScopeFiles => ({ ...files, kept, texts: new Map([[FILE, name]]) });
  const chosen = chosenFiles(WHOLE, {
    nameRules: false,
    update: (grain) => ({ check: grain === 'values' ? values : fields, files: made(grain) }),
  });
  return chosen.texts.get(FILE) ?? '';
}

test.each([
  ['values', EXACT, FAULT],
  ['fields', FAULT, EXACT],
  ['fields', left('a step'), EXACT],
] as const)('chosenFiles chooses the update by %s when it is exact', async (name, values, fields) => {
  expect(await choose(values, fields)).toBe(name);
});

test.each([
  ['values', left('a step'), left('a step')],
  ['fields', left('a step, another'), left('a step')],
  ['fields', FAULT, left('a step')],
] as const)(
  'chosenFiles chooses the update by %s when only steps that the kept rules explain are left',
  async (name, values, fields) => {
    expect(await choose(values, fields, ['a rule of a pack'])).toBe(name);
  },
);

test.each([
  [FAULT, 'it does not load', ['a rule of a pack']],
  [FAULT, 'it does not load', []],
  [left('a step'), 'a step', []],
] as const)('chosenFiles throws when neither update says what is live: %o', async (fields, why, kept) => {
  await expect(choose(FAULT, fields, kept)).rejects.toThrow(`would not say what is live: ${why}.`);
});
