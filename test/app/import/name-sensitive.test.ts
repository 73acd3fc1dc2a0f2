import { expect, it } from 'vitest';
import { nameSensitive, sensitiveNames } from '../../../src/app/import/name-sensitive.ts';
import { referenceTo } from '../../../src/model/sensitive.ts';

it('replaces references to the sensitive variables of a project by their names, and no other references', () => {
  const environment = { SECRET: 'x', OTHER: 'y', RULEWRIGHT_PLAN_KEY: 'key' };
  const names = sensitiveNames(
    { token: { from: 'SECRET', sensitive: true }, office: { from: 'OFFICE' }, plain: 'PLAIN' },
    environment,
  );
  const [mine, other] = ['SECRET', 'OTHER'].map((env) => referenceTo(env, environment));
  const said = { expression: `a ${mine} b ${mine} c ${other}`, action: 'block' };
  const named = { expression: `a \${token} b \${token} c ${other}`, action: 'block' };
  expect(nameSensitive(said, names)).toEqual(named);
  expect(nameSensitive(said, sensitiveNames(undefined, environment))).toEqual(said);
});
