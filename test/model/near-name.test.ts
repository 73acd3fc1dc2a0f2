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

test.each([
  ['two letters changed places', 'adn', ['and', 'or'], 'and'],
  ['a name that lacks its end', 'match', ['matches', 'contains'], 'matches'],
  ['another word of the same length', 'nope', ['zone', 'rule'], undefined],
  ['another word with some of the letters', 'test', ['zone', 'result', 'setup'], undefined],
  ['another short word', 'alow', ['log', 'block'], undefined],
])('%s: %j among %j is meant as %j', (_what, word, names, expected) => {
  expect(nearName(word, names)).toBe(expected);
});

test('of two candidates that are equally close the first by letters is taken', () => {
  expect(nearName('ab', ['xab', 'abx', 'aab'])).toBe('aab');
});
