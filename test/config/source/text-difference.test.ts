import fc from 'fast-check';
import { expect, test } from 'vitest';
import { textDifference, applyEdits } from '../../../src/config/source/source-text.ts';
import { propertyRuns } from '../../property-runs.ts';

test('textDifference gives an edit for each word that differs', () => {
  expect(textDifference('a eq 1 and b eq 2 or c', 'a eq 3 and b eq 2 or not c')).toEqual([
    { start: 5, end: 6, text: '3' },
    { start: 20, end: 20, text: ' not' },
  ]);
  expect(textDifference('same', 'same')).toEqual([]);
});

test('the edits of textDifference turn one text into the other, and each changes something', () => {
  const words = fc.array(fc.constantFrom('a', 'b', ' ', '  ', '\n', '"', '{', '10.0.0.0/8', 'é😀'), {
    maxLength: 12,
  });
  fc.assert(
    fc.property(words, words, (one, other) => {
      const [now, next] = [one.join(''), other.join('')];
      const edits = textDifference(now, next);
      expect(applyEdits(now, edits)).toBe(next);
      expect(edits.every(({ start, end, text }) => now.slice(start, end) !== text)).toBe(true);
    }),
    { numRuns: propertyRuns() },
  );
});

test('textDifference gives one edit for texts that are too long to compare', () => {
  const long = (word: string): string => Array.from({ length: 1_500 }, (_, at) => `${word}${at}`).join(' ');
  expect(textDifference(`x ${long('a')} y`, `x ${long('b')} y`)).toHaveLength(1);
});
