import { expect, test } from 'vitest';
import { shortened } from '../../src/text/wording.ts';

test('a text is cut behind so many characters, and between two of them', () => {
  expect(['', 'abc', 'abcd'].map((text) => shortened(text, 3))).toEqual(['', 'abc', 'abc…']);
  expect(['🤖🤖🤖', '🤖🤖🤖🤖', 'ab🤖c', 'abc🤖'].map((text) => shortened(text, 3))).toEqual([
    '🤖🤖🤖',
    '🤖🤖🤖…',
    'ab🤖…',
    'abc…',
  ]);
});
