import { expect, test } from 'vitest';
import { parseOctorulesYaml, sourceText } from '../../src/config/index.ts';

const valueOf = (text: string) => parseOctorulesYaml(sourceText('rules/a.yaml', text)).document?.value;

test('numbers are what YAML 1.1 calls so, as octorules reads them', () => {
  expect(
    valueOf(
      '{ a: 1e3, b: 0o17, c: 010, d: 1_000, e: 1:30, f: 0x1F, g: 0b101, h: -12, i: 1.5, j: 1.5e3, k: 1.5e+3, l: 0, m: "010", n: 089, o: 1_0.5, p: .5, q: 12e4, r: -010, s: 1.2.3.4 }',
    ),
  ).toEqual({
    a: '1e3',
    b: '0o17',
    c: 8,
    d: 1000,
    e: 90,
    f: 31,
    g: 5,
    h: -12,
    i: 1.5,
    j: '1.5e3',
    k: 1500,
    l: 0,
    m: '010',
    n: '089',
    o: 10.5,
    p: 0.5,
    q: '12e4',
    r: -8,
    s: '1.2.3.4',
  });
});

test('of the words of YAML 1.1, only their usual spellings are no texts', () => {
  expect(valueOf('[yes, Off, NO, yEs, oN]')).toEqual([true, false, false, 'yEs', 'oN']);
});
