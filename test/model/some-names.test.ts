import { expect, test } from 'vitest';
import { someNames } from '../../src/text/wording.ts';

test.each([
  [[], ''],
  [['a'], 'a'],
  [['a', 'b'], 'a, b'],
  [['a', 'b', 'c', 'd'], 'a, b and 2 more'],
])('names at most two of %j', (names, text) => {
  expect(someNames(names, 2)).toBe(text);
});
