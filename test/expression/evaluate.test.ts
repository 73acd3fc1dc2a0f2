import { describe, expect, it } from 'vitest';
import { compileExpression, compileFilter } from '../../src/expression/evaluate/compile-expression.ts';
import { parseExpression } from '../../src/expression/parse/parse-expression.ts';
import { evaluated } from './evaluated.ts';

type Row = readonly [expression: string, values: Readonly<Record<string, unknown>>, wanted: boolean];

const LOGIC: readonly Row[] = [
  ['b1', { b1: true }, true],
  ['b1', { b1: false }, false],
  ['not b1', { b1: false }, true],
  ['not not b1', { b1: true }, true],
  ['not b1 and b2', { b1: false, b2: false }, false],
  ['not (b1 and b2)', { b1: false, b2: false }, true],
  ['b1 or b2 and false', { b1: true }, true],
  ['b1 xor b2', { b1: true, b2: true }, false],
  ['b1 xor b2 xor true', { b1: true, b2: true }, true],
  ['true xor true xor true xor true', {}, false],
  ['b1 and b2 and true', { b1: true, b2: true }, true],
  ['b1 or b2 or false', {}, false],
  ['true', {}, true],
  ['false or not false', {}, true],
];

const OPERATORS: readonly Row[] = [
  // Integers.
  ['i1 eq 5', { i1: 5 }, true],
  ['i1 ne 5', { i1: 5 }, false],
  ['i1 lt 0', { i1: -1 }, true],
  ['i1 ge 0x10', { i1: 16 }, true],
  ['i1 eq 010', { i1: 8 }, true],
  ['i1 eq 9223372036854775807', { i1: '9223372036854775807' }, true],
  ['i1 eq 9007199254740993', { i1: '9007199254740992' }, false],
  ['i1 gt 9007199254740991', { i1: '9007199254740992' }, true],
  ['i1 lt 5', { i1: '-9223372036854775808' }, true],
  ['i1 in {1 5..9 20}', { i1: 7 }, true],
  ['i1 in {1 5..9 20}', { i1: 10 }, false],
  ['i1 in {9..20 5..9 7}', { i1: 12 }, true],
  ['i1 in {-5..-3}', { i1: -4 }, true],
  ['i1 in {}', { i1: 0 }, false],
  ['i1 & 3', { i1: 6 }, true],
  ['i1 & 3', { i1: 4 }, false],
  ['i1 & 4294967296', { i1: 4_294_967_296 }, true],
  ['i1 & 4294967296', { i1: 1 }, false],
  ['i1 & -1', { i1: 4_294_967_296 }, true],
  ['i1 & 4294967296', { i1: -1 }, true],
  // Byte strings.
  ['s1 eq "a"', { s1: 'a' }, true],
  ['s1 eq "A"', { s1: 'a' }, false],
  ['s1 lt "b"', { s1: 'ab' }, true],
  ['s1 gt "a"', { s1: 'ab' }, true],
  ['s1 gt "z"', { s1: 'é' }, true],
  ['s1 lt "\\xff"', { s1: 'é' }, true],
  ['s1 eq 61:62', { s1: 'ab' }, true],
  ['s1 eq "é"', { s1: [0xc3, 0xa9] }, true],
  ['s1 contains ""', { s1: '' }, true],
  ['s1 contains "b"', { s1: 'abc' }, true],
  ['s1 contains "B"', { s1: 'abc' }, false],
  ['s1 in {"a" "b" 63:64}', { s1: 'cd' }, true],
  ['s1 in {"a" "b"}', { s1: 'ab' }, false],
  ['s1 matches "^a.c$"', { s1: 'abc' }, true],
  ['s1 ~ r"b"', { s1: 'abc' }, true],
  ['s1 wildcard "A*C"', { s1: 'abc' }, true],
  ['s1 strict wildcard "A*C"', { s1: 'abc' }, false],
  ['s1 wildcard "b"', { s1: 'abc' }, false],
  // Addresses.
  ['ip1 eq 10.0.0.1', { ip1: '10.0.0.1' }, true],
  ['ip1 eq ::ffff:10.0.0.1', { ip1: '10.0.0.1' }, false],
  ['ip1 ne ::ffff:10.0.0.1', { ip1: '10.0.0.1' }, true],
  ['ip1 lt ::1', { ip1: '10.0.0.1' }, false],
  ['ip1 ge ::1', { ip1: '10.0.0.1' }, false],
  ['ip1 lt 10.0.0.2', { ip1: '10.0.0.1' }, true],
  ['ip1 in {10/8}', { ip1: '10.200.0.1' }, true],
  ['ip1 in {192.0.2.0/24 10.0.0.5..10.0.0.9}', { ip1: '10.0.0.7' }, true],
  ['ip1 in {::/0}', { ip1: '10.0.0.1' }, false],
  ['ip1 in {::ffff:0:0/96}', { ip1: '10.0.0.1' }, false],
  ['ip1 in {2001:db8::/32}', { ip1: '2001:db8:ffff::1' }, true],
  // A field or a call on the right.
  ['s1 eq s2', { s1: 'a', s2: 'a' }, true],
  ['s1 ne s2', { s1: 'a', s2: 'b' }, true],
  ['len(s1) gt len(s2)', { s1: 'ab', s2: 'a' }, true],
  ['ip1 eq ip2', { ip1: '10.0.0.1', ip2: '10.0.0.1' }, true],
  ['ip1 le ip2', { ip1: '10.0.0.1', ip2: '::1' }, false],
  ['i1 eq ai[0]', { i1: 3, ai: [3] }, true],
  ['s1 eq coalesce(ms["k"], "/")', { s1: '/', ms: {} }, true],
];

const MISSING: readonly Row[] = [
  ['b1', {}, false],
  ['not b1', {}, true],
  ['mb["k"]', { mb: {} }, false],
  ['i1 eq 0', {}, false],
  ['i1 lt 0', {}, false],
  ['i1 ge 0', {}, false],
  ['i1 in {0}', {}, false],
  ['i1 & 1', {}, false],
  ['s1 eq ""', {}, false],
  ['s1 le ""', {}, false],
  ['s1 contains ""', {}, false],
  ['s1 matches ""', {}, false],
  ['s1 wildcard "*"', {}, false],
  ['s1 in {""}', {}, false],
  ['ip1 eq ::', {}, false],
  ['ip1 in {::/0}', {}, false],
  ['ip1 in $office', {}, false],
  ['not s1 eq "a"', {}, true],
  ['as[3] eq "a"', { as: ['a'] }, false],
  ['ms["k"] eq "a"', { ms: { l: 'a' } }, false],
  ['mas["k"][0] eq "a"', { mas: { k: [] } }, false],
  ['lower(s1) eq ""', {}, false],
  ['len(ms["k"]) ge 0', { ms: {} }, false],
  ['len(ms["k"]) ge 0', { ms: { k: '' } }, true],
  ['not len(ms["k"]) ge 0', { ms: {} }, true],
  ['s1 eq s2', {}, false],
  ['s1 eq s2', { s2: 'a' }, false],
  ['s1 le s2', { s1: 'a' }, false],
  ['any(as[*] eq "a")', {}, false],
  ['all(as[*] eq "a")', {}, true],
  ['any(as[*] eq "a")', { as: [] }, false],
  ['all(as[*] eq "a")', { as: [] }, true],
  ['any(ab)', {}, false],
  ['all(ab)', {}, false],
  ['all(ab)', { ab: [] }, true],
  ['any(ab)', { ab: [] }, false],
  ['not all(ab)', {}, true],
  ['all(aab[*])', {}, false],
  ['any(lower(as[*])[*] eq "a")', {}, false],
  ['all(lower(as[*])[*] eq "a")', {}, true],
  ['all(starts_with(as[*], "a"))', {}, false],
  ['all(starts_with(as[*], "a"))', { as: [] }, true],
];

const EACH: readonly Row[] = [
  ['any(as[*] eq "b")', { as: ['a', 'b'] }, true],
  ['all(as[*] eq "b")', { as: ['a', 'b'] }, false],
  ['any(ai[*] in {5..9})', { ai: [1, 7] }, true],
  ['any(aip[*] in {10/8})', { aip: ['::1', '10.1.1.1'] }, true],
  ['any(ms[*] eq "b")', { ms: { k: 'a', l: 'b' } }, true],
  ['all(mi[*] & 1)', { mi: { k: 1, l: 3 } }, true],
  ['any(aab[0])', { aab: [[false, true]] }, true],
  ['all(aab[1])', { aab: [[true]] }, false],
  ['any(ab)', { ab: [false, true] }, true],
  ['all(ab)', { ab: [false, true] }, false],
  ['any(aas[*][0] eq "c")', { aas: [['a', 'b'], [], ['c']] }, true],
  // Rows without the element are skipped.
  ['all(aas[*][1] eq "b")', { aas: [['a', 'b'], [], ['c']] }, true],
  ['all(not aas[*][1] eq "b")', { aas: [['a'], []] }, true],
  ['any(aas[*][*] eq "d")', { aas: [['a'], [], ['c', 'd']] }, true],
  ['all(aas[*][*] ne "d")', { aas: [['a'], [], ['c', 'd']] }, false],
  ['any(mas[*][*] eq "y")', { mas: { k: ['x'], l: ['y'] } }, true],
  ['any(mas["k"][*] eq "x")', { mas: { k: ['x'] } }, true],
  // Between arrays: element by element, cut to the shortest, even for or.
  ['any((as[*] eq "a" and ai[*] eq 2))', { as: ['a', 'b'], ai: [1, 2] }, false],
  ['any((as[*] eq "b" and ai[*] eq 2))', { as: ['a', 'b'], ai: [1, 2] }, true],
  ['any((as[*] eq "z" or ai[*] eq 2))', { as: ['a'], ai: [1, 2] }, false],
  ['any((as[*] eq "a" or ai[*] eq 2))', { as: [], ai: [2] }, false],
  ['all((as[*] eq "a" xor as[*] eq "b"))', { as: ['a', 'b'] }, true],
  ['any((as[*] eq "a" xor as[*] eq "b" xor as[*] eq "a"))', { as: ['a', 'c'] }, false],
  ['any(not as[*] eq "a")', { as: ['a', 'b'] }, true],
  ['all((not as[*] eq "a"))', { as: ['b', 'c'] }, true],
  // Functions over elements; what gives nothing is dropped.
  ['any(lower(as[*])[*] eq "a")', { as: ['A'] }, true],
  ['all(lower(as[*])[*] eq "a")', { as: ['A', 'b'] }, false],
  ['any(len(as[*])[*] gt 1)', { as: ['a', 'bc'] }, true],
  ['any(starts_with(as[*], s1))', { as: ['ab', 'b'], s1: 'b' }, true],
  ['all(starts_with(as[*], s1))', { as: ['ab', 'b'] }, true],
  ['any(url_decode(as[*])[*] eq " ")', { as: ['+'] }, true],
  ['len(split(s1, ",", 9)) eq 2', { s1: 'a,b' }, true],
  ['any(split(s1, ",", 9)[*] eq "b")', { s1: 'a,b' }, true],
  ['lower(as[*])[1] eq "b"', { as: ['A', 'B'] }, true],
  ['any(concat(as[*], "/")[*] eq "a/")', { as: ['a'] }, true],
  ['has_value(lower(as[*]), "b")', { as: ['A', 'B'] }, true],
];

describe('evaluation', () => {
  it.each([...LOGIC, ...OPERATORS, ...MISSING, ...EACH])('%s with %j: %s', (expression, values, wanted) => {
    expect(evaluated(expression, { values })).toBe(wanted);
  });

  it.each([
    ['s1 ne "a"', {}],
    ['i1 ne 1', {}],
    ['ip1 ne ::1', {}],
    ['as[1] ne "a"', { as: ['a'] }],
    ['ms["k"] != "a"', {}],
    ['s1 ne s2', { s1: 'a' }],
    ['lower(s1) ne "a"', {}],
  ])('%s follows nilNotEqual when a value is missing', (expression, values) => {
    expect(evaluated(expression, { values })).toBe(false);
    expect(evaluated(expression, { values, nilNotEqual: true })).toBe(true);
    expect(evaluated(`not (${expression})`, { values })).toBe(true);
  });

  it('ignores nilNotEqual when the value is present', () => {
    for (const nilNotEqual of [true, false]) {
      expect(evaluated('s1 ne "a"', { values: { s1: 'b' }, nilNotEqual })).toBe(true);
      expect(evaluated('s1 ne "a"', { values: { s1: 'a' }, nilNotEqual })).toBe(false);
    }
  });

  it('asks the context whether a list holds the value', () => {
    const asked: unknown[] = [];
    const context = {
      inList: (name: string, value: unknown) => {
        asked.push([name, value]);
        return name === 'office';
      },
    };
    expect(evaluated('ip1 in $office', { values: { ip1: '10.0.0.1' }, context })).toBe(true);
    expect(evaluated('i1 in $cf.malware', { values: { i1: 7 }, context })).toBe(false);
    expect(evaluated('ip1 in $office', { values: {}, context })).toBe(false);
    expect(evaluated('ip1 in $office', { values: { ip1: '10.0.0.1' } })).toBe(false);
    expect(asked).toEqual([
      ['office', { family: 4, value: 0x0a00_0001n }],
      ['cf.malware', 7],
    ]);
  });

  it.each([
    ['s1', { s1: 'a' }, 'a'],
    ['s1', {}, null],
    ['i1', { i1: 7 }, 7],
    ['b1', { b1: false }, false],
    ['as', { as: ['a'] }, ['a']],
    ['mas["k"][0]', { mas: { k: ['v'] } }, 'v'],
    ['concat("/blog", s1)', { s1: '/a' }, '/blog/a'],
    ['lower(as[*])', { as: ['A', 'B'] }, ['a', 'b']],
    ['to_string(ip1)', { ip1: '2001:DB8:0::1' }, '2001:db8::1'],
  ])('gives the value of %s', (expression, values, wanted) => {
    expect(evaluated(expression, { mode: 'value', values })).toEqual(wanted);
  });

  it('reports the regular expressions that it cannot evaluate, with their places', () => {
    const parsed = parseExpression('http.host ~ "(?mR)^a" or http.host ~ "b" or http.host ~ r"(?u)\\ba"');
    expect(parsed).toMatchObject({ ok: true });
    expect(parsed.ok && compileExpression(parsed.tree)).toEqual({
      ok: false,
      problems: [
        {
          message: 'regular expression: not supported here: line anchors with CRLF line ends',
          span: { start: 12, end: 21 },
        },
        {
          message: 'regular expression: not supported here: word boundaries of Unicode',
          span: { start: 56, end: 66 },
        },
      ],
    });
  });

  it('keeps no state between runs', () => {
    const parsed = parseExpression(
      'any(http.request.headers["x"][*] eq "a") and any(lower(http.request.headers["x"][*])[*] eq "b")',
    );
    expect(parsed).toMatchObject({ ok: true });
    if (!parsed.ok || parsed.tree.mode !== 'filter') {
      return;
    }
    const compiled = compileFilter(parsed.tree.root);
    const request = (...x: readonly string[]): ReadonlyMap<string, ReadonlyMap<string, readonly string[]>> =>
      new Map([['http.request.headers', new Map([['x', x]])]]);
    expect(compiled.ok && compiled.evaluate(request('a', 'B'))).toBe(true);
    expect(compiled.ok && compiled.evaluate(request())).toBe(false);
    expect(compiled.ok && compiled.evaluate(new Map())).toBe(false);
    expect(compiled.ok && compiled.evaluate(request('a', 'B'))).toBe(true);
  });
});
