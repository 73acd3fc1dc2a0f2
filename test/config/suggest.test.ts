import { expect, test } from 'vitest';

import { didYouMean, oneOfThese, suggest } from '../../src/config/schema/suggest.ts';

const KEYS = ['action', 'action_parameters', 'expression', 'enabled', 'ref', 'id'];

test.each([
  ['acton', 'action'],
  ['actionParameters', 'action_parameters'],
  ['ACTION', 'action'],
  ['expresion', 'expression'],
  ['reff', 'ref'],
  ['zzz', undefined],
  ['', undefined],
])('%j is meant as %j', (word, expected) => {
  expect(suggest(word, KEYS)).toBe(expected);
});

test('of two candidates that are equally close the first by letters is taken', () => {
  expect(suggest('ab', ['xab', 'abx', 'aab'])).toBe('aab');
});

test('a suggestion and a list are written out', () => {
  expect(didYouMean('acton', KEYS)).toBe('did you mean `action`?');
  expect(didYouMean('zzz', KEYS)).toBeUndefined();
  expect(oneOfThese(['a'])).toBe('`a`');
  expect(oneOfThese(['a', 1, true])).toBe('`a`, `1` or `true`');
  expect(oneOfThese([])).toBe('');
});
