import { expect, test } from 'vitest';
import { createLimitedMap } from '../../src/data/collections.ts';

test('values are kept up to the limit, and all forgotten with the next', () => {
  const map = createLimitedMap<number>(2);
  expect([map.keep('a', 1), map.keep('b', 2)]).toEqual([1, 2]);
  expect([map.get('a'), map.get('b'), map.get('c')]).toEqual([1, 2, undefined]);
  expect(map.keep('c', 3)).toBe(3);
  expect([map.get('a'), map.get('b'), map.get('c')]).toEqual([undefined, undefined, 3]);
});
