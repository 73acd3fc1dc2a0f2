import { expect, test } from 'vitest';
import { shapeProblems } from '../../src/model/shape-problems.ts';
import { checkPlan } from '../../src/plan/document/check-plan.ts';

test('describes the damage of a document in words, one line for each place', () => {
  expect(checkPlan({ kind: 'plan' })).toEqual({
    kind: 'invalid',
    problems: ['it is damaged, or not a plan: it has no `formatVersion`, `baseUrl`, `summary` and 3 more'],
  });
  expect(checkPlan([])).toEqual({
    kind: 'invalid',
    problems: ['it is damaged, or not a plan: it should be an object and is not'],
  });
  const at = (keyword: string, instancePath: string, params = {}) => ({ keyword, instancePath, params });
  expect(
    shapeProblems([
      at('required', '/a', { missingProperty: 'id' }),
      at('additionalProperties', '/a', { additionalProperty: 'idd' }),
      at('oneOf', '/a'),
      at('type', '/b', { type: 'array' }),
      at('pattern', '/c', { pattern: '^x$' }),
    ]),
  ).toEqual([
    '/a has no `id` and has `idd`, which is not known',
    '/b should be a list and is not',
    '/c has a value that is not possible there',
  ]);
  expect(shapeProblems([at('discriminator', '/d')])).toEqual(['/d has a value that is not possible there']);
});
