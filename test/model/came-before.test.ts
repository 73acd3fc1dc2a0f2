import { expect, test } from 'vitest';
import { createCameBefore } from '../../src/data/collections.ts';

test('reports a new text as new, and the same text asked for again at once as known', () => {
  const cameBefore = createCameBefore();
  const texts = Array.from({ length: 20_000 }, (_, index) => `http.host eq "${index}.example"`);
  const first = texts.map((text) => [cameBefore(text), cameBefore(text)]);
  expect(first).toEqual(texts.map(() => [false, true]));
});

test('still knows most of 10,000 texts after the last of them', () => {
  const cameBefore = createCameBefore();
  const texts = Array.from({ length: 10_000 }, (_, index) => `ip.src eq 192.0.2.${index}`);
  for (const text of texts) {
    cameBefore(text);
  }
  expect(texts.filter((text) => cameBefore(text)).length).toBeGreaterThan(8000);
});

test('treats the empty text like any other text', () => {
  const cameBefore = createCameBefore();
  expect([cameBefore(''), cameBefore('')]).toEqual([false, true]);
});
