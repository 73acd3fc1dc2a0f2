import { expect, test } from 'vitest';
import { createCameBefore } from '../../src/model/came-before.ts';

test('a new text did not come before, and one that was just asked for did', () => {
  const cameBefore = createCameBefore();
  const texts = Array.from({ length: 20_000 }, (_, index) => `http.host eq "${index}.example"`);
  const first = texts.map((text) => [cameBefore(text), cameBefore(text)]);
  expect(first).toEqual(texts.map(() => [false, true]));
});

test('most texts are still known after as many others as a large project has', () => {
  const cameBefore = createCameBefore();
  const texts = Array.from({ length: 10_000 }, (_, index) => `ip.src eq 192.0.2.${index}`);
  for (const text of texts) {
    cameBefore(text);
  }
  expect(texts.filter((text) => cameBefore(text)).length).toBeGreaterThan(8000);
});

test('the empty text is a text', () => {
  const cameBefore = createCameBefore();
  expect([cameBefore(''), cameBefore('')]).toEqual([false, true]);
});
