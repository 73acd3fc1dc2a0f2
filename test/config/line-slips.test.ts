import { expect, test } from 'vitest';

import { firstMistake } from '../../src/config/yaml/line-mistakes.ts';

const MANY = 200_000;

test.each([
  ['blanks and a colon without one', `${' '.repeat(MANY)}a:x`, 'there is no space after `a:`'],
  ['items and a colon without a blank', `${'- '.repeat(MANY)}a:x`, 'there is no space after `a:`'],
  ['blanks before a colon', `key${' '.repeat(MANY)}:`, undefined],
  ['dashes', '-'.repeat(MANY), undefined],
  ['a separator of lines behind items', `${'-  '.repeat(MANY)}\u2028`, undefined],
  ['a separator of lines behind comments', `a:${' #'.repeat(MANY)}\u2028`, undefined],
])('firstSlip handles a very long line of %s without taking too long', (_, line, slip) => {
  expect(firstMistake(['a: 1', line])?.message).toBe(slip);
});
