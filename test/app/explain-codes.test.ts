import { expect, it } from 'vitest';
import { explainCode, isCode } from '../../src/app/index.ts';
import { DIAGNOSTIC_CODES } from '../../src/config/index.ts';
import { CODES } from '../../src/expression/index.ts';
import { DEPRECATIONS, ERROR_CODES, GUARD_KINDS, PLAN_NOTE_KINDS } from '../../src/model/index.ts';
import { TEST_CODES } from '../../src/simulate/index.ts';

// Every code of a text, of JSON, of SARIF and of annotations is of one of these tables, or made of what another program answered.
const SEEN = [
  ...[DIAGNOSTIC_CODES, CODES, ERROR_CODES, TEST_CODES].flatMap((table) => Object.keys(table)),
  ...GUARD_KINDS,
  ...PLAN_NOTE_KINDS,
  ...DEPRECATIONS.map(({ id }) => `deprecated/${id}`),
  'system/enospc',
  'system/eacces',
  'forge/http-403',
  'forge/http-500',
];

it('explains every code that somebody can see', async () => {
  expect(SEEN.filter((code) => !isCode(code))).toEqual([]);
  const told = await Promise.all(SEEN.map((code) => explainCode(code)));
  expect(told.map(({ code }) => code)).toEqual(SEEN);
  expect(told.filter(({ meaning }) => !/^.{10,}\.$/su.test(meaning))).toEqual([]);
});

it.each(['system/nothing', 'forge/http-999', 'deprecated/nothing', 'weakend'])(
  'explains no code that is none: %s',
  async (code) => {
    await expect(explainCode(code)).rejects.toThrow(`there is no code ${code}`);
  },
);

it.each([
  ['lint/unreachable', 'did you mean lint/unreachable-rule?'],
  ['lint/unreachible-rule', 'did you mean lint/unreachable-rule?'],
])('suggests for %s what begins so, or is near', async (code, hint) => {
  await expect(explainCode(code)).rejects.toMatchObject({ hint });
});
