import { expect, test } from 'vitest';
import { nearName } from '../../src/text/near-name.ts';

const KEYS = ['action', 'action_parameters', 'expression', 'enabled', 'ref', 'id'];

test.each([
  ['acton', 'action'],
  ['actionParameters', 'action_parameters'],
  ['ACTION', 'action'],
  ['expresion', 'expression'],
  ['reff', 'ref'],
  ['zzz', undefined],
  ['', undefined],
])('takes %j for the known name %j', (word, expected) => {
  expect(nearName(word, KEYS)).toBe(expected);
});

test.each([
  ['two letters changed places', 'adn', ['and', 'or'], 'and'],
  ['a name that lacks its end', 'match', ['matches', 'contains'], 'matches'],
  ['another word of the same length', 'nope', ['zone', 'rule'], undefined],
  ['another word with some of the letters', 'test', ['zone', 'result', 'setup'], undefined],
  ['another short word', 'alow', ['log', 'block'], undefined],
])('corrects a misspelt name: %s: %j among %j is taken for %j', (_what, word, names, expected) => {
  expect(nearName(word, names)).toBe(expected);
});

test('takes the alphabetically first of candidates that are equally close', () => {
  expect(nearName('ab', ['xab', 'abx', 'aab'])).toBe('aab');
});
