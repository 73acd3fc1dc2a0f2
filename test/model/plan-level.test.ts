import { expect, test } from 'vitest';
import { planLevelOf } from '../../src/model/index.ts';

test.each([
  ['free', 'free'],
  ['enterprise', 'enterprise'],
  ['pro_plus', 'pro'],
  ['something_new', undefined],
  ['', undefined],
  [undefined, undefined],
])('maps the plan %s to the level %s', (plan, level) => {
  expect(planLevelOf(plan)).toBe(level);
});
