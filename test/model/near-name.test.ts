import { expect, test } from 'vitest';

import { nearName } from '../../src/model/near-name.ts';

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
  expect(nearName(word, KEYS)).toBe(expected);
});

test('of two candidates that are equally close the first by letters is taken', () => {
  expect(nearName('ab', ['xab', 'abx', 'aab'])).toBe('aab');
});
