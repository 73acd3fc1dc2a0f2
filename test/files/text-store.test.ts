import { hash } from 'node:crypto';
import { mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import fc from 'fast-check';
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import type { TextPlace } from '../../src/files/text-store.ts';
import { createTextStore } from '../../src/files/text-store.ts';
import { propertyRuns } from '../property-runs.ts';

/** Texts that compress to half their size, some of them longer than a block that is compressed together. */
const texts = (count: number): readonly string[] =>
  Array.from({ length: count }, (_one, at) => {
    const pieces = Array.from({ length: at % 37 === 0 ? 5000 : at % 30 }, (_piece, place) =>
      hash('sha256', `${at}/${place}`),
    );
    return `${pieces.join('–')}ä`;
  });

// A temporary folder of its own: the usual one may have files of other processes, or of killed ones.
let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'text-store-'));
  vi.stubEnv('TMPDIR', folder);
});
afterEach(() => {
  vi.unstubAllEnvs();
  rmSync(folder, { recursive: true });
});

describe('createTextStore', () => {
  test.each([
    ['in memory', Infinity],
    ['in a file', 0],
    ['partly in a file', 100_000],
  ])('reads each text back in any order when texts are %s', (_where, inMemory) => {
    const store = createTextStore({ inMemory });
    const added = texts(400).map((text) => ({ text, place: store.add(text) }));
    const places = [...added, ...added.toReversed(), ...added.filter((_one, at) => at % 7 === 0)];
    expect(places.every(({ text, place }) => store.read(place) === text)).toBe(true);
    expect(readdirSync(folder)).toEqual([]);
  });

  test('reads each text back between additions', () => {
    const step = fc.record({ text: fc.string({ maxLength: 100 }), times: fc.integer({ min: 1, max: 4000 }) });
    fc.assert(
      fc.property(fc.array(step, { maxLength: 5 }), (steps) => {
        const store = createTextStore({ inMemory: 50 });
        const added: { readonly text: string; readonly place: TextPlace }[] = [];
        for (const { text, times } of steps) {
          const long = text.repeat(times);
          added.push({ text: long, place: store.add(long) });
          expect(added.every((one) => store.read(one.place) === one.text)).toBe(true);
        }
      }),
      { numRuns: propertyRuns() },
    );
  });

  test('keeps all texts in memory if no temporary file can be created', () => {
    vi.stubEnv('TMPDIR', '/nowhere/at/all');
    const store = createTextStore({ inMemory: 0 });
    const added = texts(100).map((text) => ({ text, place: store.add(text) }));
    expect(added.every(({ text, place }) => store.read(place) === text)).toBe(true);
  });
});
