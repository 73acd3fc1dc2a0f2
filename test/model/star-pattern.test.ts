import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import { matchesStars } from '../../src/text/star-pattern.ts';
import { propertyRuns } from '../property-runs.ts';

test.each([
  ['shop-login', 'shop-*', true],
  ['shop-', 'shop-*', true],
  ['shop', 'shop-*', false],
  ['a-shop-b', '*shop*', true],
  ['login', 'login', true],
  ['login-2', 'login', false],
  ['ab', 'a*b', true],
  ['a', 'a*a', false],
  ['axbxc', 'a*b*c', true],
  ['abc.', 'a.*', false],
  ['anything', '*', true],
  ['', '*', true],
])('matches %j against %j: %j', (ref, pattern, expected) => {
  expect(matchesStars(pattern, ref)).toBe(expected);
});

test('matches the same texts as the equivalent regular expression', () => {
  const text = fc.string({ unit: fc.constantFrom('a', 'b', '-'), maxLength: 8 });
  const pattern = fc.string({ unit: fc.constantFrom('a', 'b', '-', '*'), maxLength: 6 });
  fc.assert(
    fc.property(text, pattern, (ref, stars) => {
      const meaning = new RegExp(`^${stars.replaceAll('*', '.*')}$`);
      expect(matchesStars(stars, ref)).toBe(meaning.test(ref));
    }),
    { numRuns: propertyRuns() },
  );
});
