import { expect, test } from 'vitest';

import { didYouMean, oneOfThese } from '../../src/config/schema/suggest.ts';

const KEYS = ['action', 'action_parameters', 'expression', 'enabled', 'ref', 'id'];

test('didYouMean suggests a similar key if there is one, and oneOfThese lists values in words', () => {
  expect(didYouMean('acton', KEYS)).toBe('did you mean `action`?');
  expect(didYouMean('zzz', KEYS)).toBeUndefined();
  expect(didYouMean('parameters', ['params', 'rules'])).toBe('did you mean `params`?');
  expect(didYouMean('rules_of_others', ['params', 'rules'])).toBeUndefined();
  expect(oneOfThese(['a'])).toBe('`a`');
  expect(oneOfThese(['a', 1, true])).toBe('`a`, `1` or `true`');
  expect(oneOfThese([])).toBe('');
});
