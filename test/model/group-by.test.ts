import { expect, test } from 'vitest';

import { groupBy } from '../../src/model/group-by.ts';

test('items of one key stand together, in their order and that of the first of each key', () => {
  const groups = groupBy(['pear', 'apple', 'plum', 'avocado'], (word) => word.charAt(0));
  expect([...groups]).toEqual([
    ['p', ['pear', 'plum']],
    ['a', ['apple', 'avocado']],
  ]);
});
