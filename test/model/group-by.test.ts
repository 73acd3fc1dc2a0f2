import { expect, test } from 'vitest';
import { groupBy } from '../../src/data/collections.ts';

test('groups items by key, keeping the order of the items and of the first item of each key', () => {
  const groups = groupBy(['pear', 'apple', 'plum', 'avocado'], (word) => word.charAt(0));
  expect([...groups]).toEqual([
    ['p', ['pear', 'plum']],
    ['a', ['apple', 'avocado']],
  ]);
});
