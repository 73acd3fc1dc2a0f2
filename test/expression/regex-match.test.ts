import { describe, expect, it } from 'vitest';
import { compileRegex, compileSearch } from '../../src/expression/regex/compile-regex.ts';
import { encodeBytes } from '../../src/expression/values/bytes.ts';

/** Whether a pattern matches a subject, both given as text and matched as UTF-8 bytes. */
function matches(pattern: string, subject: string): boolean {
  return matchesBytes(pattern, encodeBytes(subject));
}

function matchesBytes(pattern: string, subject: string): boolean {
  const compiled = compileRegex(encodeBytes(pattern));
  expect(compiled).toMatchObject({ ok: true });
  return compiled.ok && compiled.matches(subject);
}

function refusal(pattern: string): string {
  const compiled = compileRegex(encodeBytes(pattern));
  return compiled.ok ? 'runs' : compiled.reason;
}

const TABLE: readonly (readonly [pattern: string, subject: string, wanted: boolean])[] = [
  // Anchors and line breaks.
  ['', 'abc', true],
  ['^$', '', true],
  ['^b$', 'a\nb', false],
  ['(?m)^b$', 'a\nb', true],
  ['(?m:^)b', 'a\nb', true],
  ['b$', 'ab\n', false],
  ['b\\z', 'ab\n', false],
  ['(?m)b$', 'ab\n', true],
  ['(?m)\\Ab', 'a\nb', false],
  ['(?m)a\\z', 'a\nb', false],
  ['a.b', 'a\nb', false],
  ['(?s)a.b', 'a\nb', true],
  ['(?s:a.)b', 'a\nb', true],
  ['a.b', 'a\rb', true],
  ['(?R)a.b', 'a\rb', false],
  ['(?Rs)a.b', 'a\rb', true],
  ['^*a', 'ba', true],
  // Bytes, not characters.
  ['^...$', 'ツ', true],
  ['^.$', 'é', false],
  ['^..$', 'é', true],
  ['^é+$', 'éé', true],
  ['(?:é)+$', 'éé', true],
  ['^é$', 'é', true],
  ['^\\xc3\\xa9$', 'é', true],
  ['^\\x{e9}$', 'é', true],
  ['^\\u00e9$', 'é', true],
  ['^[^a]$', 'é', false],
  ['^[^a][^a]$', 'é', true],
  ['^\\W\\W$', 'é', true],
  ['^\\w+$', 'é', false],
  ['^[[:^ascii:]]{2}$', 'é', true],
  ['\\d', '٣', false],
  ['\\s', '\u00a0', false],
  ['\\s', '\v', true],
  ['[[:space:]]', '\v', true],
  ['^\\S$', '\v', false],
  // Case.
  ['(?i)B', 'abc', true],
  ['(?i)abc', 'xABCx', true],
  ['(?i)É', 'é', false],
  ['(?i)é', 'é', true],
  ['(?i)[^a]', 'A', false],
  ['(?i)[a-c]', 'B', true],
  ['(?i)[[:lower:]]', 'A', true],
  ['(?i)[a&&A]', 'a', true],
  ['(?-i)a', 'A', false],
  ['(?i:a)b', 'Ab', true],
  ['(?i:a)b', 'AB', false],
  ['a(?i)b|c', 'C', true],
  ['(?:a(?i)b)c', 'aBC', false],
  ['(?i)k', '\u212a', false],
  ['(?iu)k', '\u212a', true],
  ['(?iu)[k]', '\u212a', true],
  ['(?iu)s', 'ſ', true],
  ['(?iu)[^k]', '\u212a', false],
  ['(?iu)^[^a]$', 'é', true],
  // Classes.
  ['^[a&&b]$', 'a', false],
  ['[a&&b]', 'a&b', false],
  ['^[a-z&&[^aeiou]]+$', 'xyz', true],
  ['^[a-z&&[^aeiou]]+$', 'abc', false],
  ['^[\\w--_]+$', 'a_b', false],
  ['^[\\w--[_b]]+$', 'ac', true],
  ['^[a-c~~b-d]+$', 'ad', true],
  ['^[a-c~~b-d]+$', 'b', false],
  ['^[a[b[c]]]+$', 'abc', true],
  ['^[^a[b]]$', 'b', false],
  ['^[]a]+$', ']a', true],
  ['^[^]a]$', ']', false],
  ['^[-a]+$', '-a', true],
  ['^[a-]+$', 'a-', true],
  ['^[[:alpha:][:digit:]]+$', 'a1', true],
  ['^[[:xdigit:]]+$', 'fF0', true],
  ['^[[:word:]]+$', 'a_1', true],
  ['^[[:punct:]]+$', '!~@[`', true],
  ['^[[:nonsense:]]+$', 'nose:', true],
  ['^[a\\]b]+$', 'a]b', true],
  ['^[.*+]+$', '*+.', true],
  ['^[\\d\\s]+$', '1 2', true],
  ['^[^\\d\\s]$', '1', false],
  ['^[\\x00-\\x1f]$', '\x07', true],
  ['[a--a]', 'a', false],
  // Escapes.
  ['^\\x41\\x{42}\\u0043\\U00000044\\u{45}$', 'ABCDE', true],
  ['^\\a\\f\\t\\n\\r\\v$', '\x07\f\t\n\r\v', true],
  ['^\\.\\/\\-\\ \\#$', './- #', true],
  ['^]}$', ']}', true],
  // Repetition.
  ['^a**$', 'aaa', true],
  ['^a++$', '', false],
  ['^(?:ab){2,3}$', 'ababab', true],
  ['^(?:ab){2,3}$', 'abababab', false],
  ['^a{0}$', '', true],
  ['^a{0}$', 'a', false],
  ['^a{2,}$', 'aaa', true],
  ['^a{ 2 , 3 }$', 'aaa', true],
  ['^(?:a{10}){10}$', 'a'.repeat(100), true],
  ['^(?:a{100}){100}$', 'a'.repeat(10_000), true],
  ['^(?:a{100}){100}$', 'a'.repeat(9_999), false],
  ['^a{1001}$', 'a'.repeat(1001), true],
  ['^a{1001}$', 'a'.repeat(1002), false],
  ['^a{1001,2500}$', 'a'.repeat(2500), true],
  ['^a{1001,2500}$', 'a'.repeat(2501), false],
  ['^a{2500,}$', 'a'.repeat(2499), false],
  ['^(?:a{0,40}b){0,60}$', 'aab'.repeat(60), true],
  ['^(?:a{0,40}b){0,60}$', 'aab'.repeat(61), false],
  ['(?U)^a+?$', 'aaa', true],
  // Word boundaries.
  ['\\bfoo\\b', 'a foo b', true],
  ['\\bfoo\\b', 'afoo', false],
  ['\\Boo', 'foo', true],
  ['\\B', '', true],
  ['\\b', 'é', false],
  ['\\<foo', 'a foo', true],
  ['\\<foo', 'afoo', false],
  ['\\<', '...', false],
  ['foo\\>', 'foo bar', true],
  ['foo\\>', 'foob', false],
  ['\\b{start}-', 'a-b', false],
  ['-\\b{start}', 'a-b', true],
  ['a\\b{end}', 'a-b', true],
  ['a\\b{end-half}', 'a-b', true],
  ['-\\b{end-half}-', 'a--b', true],
  ['-\\b{end-half}b', 'a--b', false],
  ['\\b{start-half}b', 'a-b', true],
  ['\\b{start-half}b', 'ab', false],
  ['^\\b{start-half}\\b{end-half}$', '', true],
  // Verbose.
  ['(?x) ^ a b # comment ( [ \n c $', 'abc', true],
  ['(?x)a\\ b', 'a b', true],
  ['(?x)[ a ]', ' ', false],
  ['(?x: a )b c', 'ab c', true],
  ['(?x) a { 2 } $', 'aa', true],
  ['^(?x) \\x 4 1 $', 'A', true],
  // Unicode switched on.
  ['(?u)^.$', 'é', true],
  ['(?u)^.$', 'ツ', true],
  ['(?u)^.$', '😀', true],
  ['(?u)^..$', 'é', false],
  ['(?u)^[é-ü]$', 'ö', true],
  ['(?u)^[^é]$', 'ö', true],
  ['(?u)^[^é]$', 'é', false],
  ['(?u)\\p{Greek}', 'λ', true],
  ['(?u)\\p{Greek}', 'l', false],
  ['(?u)^\\P{Greek}$', 'é', true],
  ['(?u)^\\pL+$', 'éλa', true],
  ['(?u)\\p{sc=Cyrillic}', 'ж', true],
  ['(?u)\\p{sc!=Cyrillic}', 'ж', false],
  ['(?u)\\d', '٣', true],
  ['(?u)\\s', '\u00a0', true],
  ['(?u)^\\w+$', 'éλ_1', true],
  ['(?u:.)(?-u:.)', 'é', false],
  ['^(?u:.).$', 'éa', true],
  ['(?u)^[\\x{800}-\\x{10ffff}]$', '😀', true],
  ['(?u)^[\\x{800}-\\x{10ffff}]$', 'é', false],
  // Choices.
  ['^(?:a|b|)$', '', true],
  ['^(?:a|b|)c$', 'c', true],
  ['^(?P<x>a)(?<y>b)$', 'ab', true],
  // Literals, which are searched for without the engine.
  ['admin', '/wp-admin/', true],
  ['^/api/.*', '/api/v1', true],
  ['^/api/.*', '/v1/api/', false],
  ['.*\\.php$', '/a.php', true],
  ['.*\\.php$', '/a.php5', false],
  ['^exact$', 'exact', true],
  ['^exact$', 'exactly', false],
  ['a*', 'b', true],
];

describe('compileRegex', () => {
  it.each(TABLE)('%j on %j: %s', (pattern, subject, wanted) => {
    expect(matches(pattern, subject)).toBe(wanted);
  });

  it('matches bytes that are not UTF-8', () => {
    expect(matchesBytes('^.$', '\xff')).toBe(true);
    expect(matchesBytes('^\\xff$', '\xff')).toBe(true);
    expect(matchesBytes('^[\\x80-\\xff]+$', '\x80\xff')).toBe(true);
    expect(matchesBytes('(?i)\\xe3', '\xc3')).toBe(false);
    expect(matchesBytes('(?i)[\\xe3]', '\xc3')).toBe(false);
    expect(matchesBytes('(?u)^.$', '\xff')).toBe(false);
  });

  it.each([
    ['(?mR)^a', 'not supported here: line anchors with CRLF line ends'],
    ['(?u)\\ba', 'not supported here: word boundaries of Unicode'],
    ['(?iu)é', 'not supported here: case-insensitive Unicode beyond ASCII'],
    ['(?iu)[é]', 'not supported here: case-insensitive Unicode beyond ASCII'],
    ['(?u)\\p{Nonsense}', 'not supported here: the Unicode property \\p{Nonsense}'],
    ['(?u)\\p{Cn}', 'not supported here: the Unicode property \\p{Cn}'],
    ['a{50000}', 'too large to run here: about 50000 states, the limit is 40000'],
  ])('%j is refused with the reason rather than run with another meaning', (pattern, reason) => {
    expect(refusal(pattern)).toBe(reason);
  });

  it.each(['L', 'Greek', 'Lu', 'Any'])('matches the same code points as RegExp for \\p{%s}', (name) => {
    const ours = compileRegex(`(?u)^\\p{${name}}$`);
    const theirs = new RegExp(`^\\p{${name === 'Greek' ? 'Script=Greek' : name}}$`, 'u');
    const wrong: number[] = [];
    // A sample, because all code points would take long; it includes the edges of encoded lengths and of surrogates.
    const codePoints = [0, 0x7f, 0x80, 0x7ff, 0x800, 0xd7ff, 0xe000, 0xffff, 0x1_0000, 0x10_ffff];
    for (let codePoint = 1; codePoint <= 0x10_ffff; codePoint += codePoint < 0x3000 ? 3 : 251) {
      codePoints.push(codePoint >= 0xd800 && codePoint <= 0xdfff ? 0x41 : codePoint);
    }
    for (const codePoint of codePoints) {
      const text = String.fromCodePoint(codePoint);
      if ((ours.ok && ours.matches(encodeBytes(text))) !== theirs.test(text)) {
        wrong.push(codePoint);
      }
    }
    expect(wrong).toEqual([]);
  });

  it('finds the first match and its groups', () => {
    const find = (pattern: string, subject: string): unknown => {
      const search = compileSearch(pattern);
      return search.ok ? search.find(subject) : search;
    };
    expect(find('^/foo/([^/]*)/(.*)$', '/foo/a/path')).toEqual({ start: 0, end: 11, groups: ['a', 'path'] });
    expect(find('(a)|(b)', 'xb')).toEqual({ start: 1, end: 2, groups: [undefined, 'b'] });
    expect(find('a+?', 'baaa')).toEqual({ start: 1, end: 2, groups: [] });
    expect(find('(?U)a+', 'baaa')).toEqual({ start: 1, end: 2, groups: [] });
    expect(find('a|ab', 'ab')).toEqual({ start: 0, end: 1, groups: [] });
    expect(find('(?:a|ab)(c|bcd)(d*)', 'abcd')).toEqual({ start: 0, end: 4, groups: ['bcd', ''] });
    expect(find('z', 'abc')).toBeUndefined();
    expect(find('(?P<n>b){1001}', 'b')).toEqual({
      ok: false,
      reason: 'not supported here: a group inside a count above 1000',
    });
  });
});

describe('patterns of denial-of-service attacks', () => {
  const many = 100_000;

  // A search in exponential or quadratic time would not end on subjects of this size.
  it.each([
    ['^(a+)+$', `${'a'.repeat(many)}!`],
    ['^(a|aa)+$', `${'a'.repeat(many)}!`],
    ['^(a|a?)+$', `${'a'.repeat(many)}!`],
    ['(.*)*x', 'a'.repeat(many)],
    ['(?:.*.*)*=.*', 'a'.repeat(many)],
    ['(a?){50}a{50}b', 'a'.repeat(many)],
    ['\\b{start}(\\w+\\s?)*\\b{end}$', `${'ab '.repeat(many / 4)}!`],
    ['(?i)(?:[a-z]+)*[0-9]$', 'aB'.repeat(many / 2)],
    ['(x+x+)+y', 'x'.repeat(many)],
  ])('%s takes linear time to find no match', (pattern, subject) => {
    expect(matches(pattern, subject)).toBe(false);
  });

  it('refuses a pattern whose automaton would be too large', () => {
    expect(refusal('((((a{100}){100}){100}){100}){100}')).toContain('too large to run here');
    expect(refusal('(?u)(?:\\w{100}){10}')).toContain('too large to run here');
  });
});
