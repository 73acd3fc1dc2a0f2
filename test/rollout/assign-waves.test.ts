import { describe, expect, test } from 'vitest';
import type { WaveMember } from '../../src/rollout/index.ts';
import { assignWaves } from '../../src/rollout/index.ts';
import type { WaveSelector } from '../../src/model/index.ts';

const where = { file: 'rulewright.yaml', start: { line: 1, column: 1 }, end: { line: 1, column: 1 } };

const zone = (name: string, labels = {}): WaveMember => ({ scope: { kind: 'zone', name }, labels });
const named = (...names: readonly string[]): WaveSelector => ({
  kind: 'scopes',
  scopes: names.map((name) => ({ scope: { kind: 'zone', name }, where })),
});
const labelled = (name: string, text: string | null = null): WaveSelector => ({
  kind: 'labels',
  labels: [{ name, text, where }],
});
const share = (percent: number): WaveSelector => ({ kind: 'share', percent });

function wavesOf(
  waves: readonly WaveSelector[],
  members: readonly WaveMember[],
): Record<string, readonly string[]> {
  const assigned = assignWaves({ waves: waves.map((zones) => ({ zones, where })) }, members);
  return Object.fromEntries(
    assigned.map(({ number, kind, members: own }) => [
      `${number} ${kind}`,
      own.map(({ scope }) => scope.name),
    ]),
  );
}

const MANY = Array.from({ length: 1000 }, (_, index) => zone(`zone-${index}.example`));

describe('a zone is in one wave', () => {
  test('that which names it, else that of its label, else that of its share', () => {
    const members = [
      zone('a.example', { canary: 'yes' }),
      zone('B.example'),
      zone('c.example', { env: 'test' }),
    ];
    expect(
      wavesOf([share(100), labelled('canary'), named('b.example'), labelled('env', 'live')], members),
    ).toEqual({
      '1 zones': ['c.example'],
      '2 zones': ['a.example'],
      '3 zones': ['B.example'],
      '4 zones': [],
    });
  });

  test('or in a last one, before what goes of accounts', () => {
    const members = [
      { scope: { kind: 'account', name: 'Shop' } } as const,
      zone('a.example', { canary: 'yes' }),
      zone('b.example'),
    ];
    expect(wavesOf([labelled('canary')], members)).toEqual({
      '0 accounts-before': ['Shop'],
      '1 zones': ['a.example'],
      '2 rest': ['b.example'],
      '3 accounts-after': ['Shop'],
    });
  });

  test('that no other zone decides about', () => {
    const waves = [share(10), share(40), share(100)];
    const all = wavesOf(waves, MANY);
    const some = wavesOf(
      waves,
      MANY.filter((_, index) => index % 3 === 0),
    );
    expect(Object.keys(some)).toEqual(Object.keys(all));
    for (const [wave, names] of Object.entries(some)) {
      expect(all[wave]).toEqual(expect.arrayContaining([...names]));
    }
  });

  test('and shares count the shares before them in', () => {
    const sizes = Object.values(wavesOf([share(10), share(40), share(100)], MANY)).map(
      ({ length }) => length,
    );
    expect(sizes.reduce((sum, size) => sum + size, 0)).toBe(1000);
    expect(sizes[0]).toBeGreaterThan(70);
    expect(sizes[0]).toBeLessThan(130);
    expect(sizes[1]).toBeGreaterThan(250);
    expect(sizes[1]).toBeLessThan(350);
  });
});
