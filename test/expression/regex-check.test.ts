import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { regexProblem } from '../../src/expression/regex/regex-problem.ts';
import { compileRegex } from '../../src/expression/regex/compile-regex.ts';
import { encodeBytes } from '../../src/expression/values/bytes.ts';
import { propertyRuns } from '../property-runs.ts';

function check(pattern: string): string {
  return regexProblem(encodeBytes(pattern)) ?? 'accepted';
}

/** The last line of the message, and what the carets stand under. */
function problem(pattern: string): readonly [string, string] {
  const [, shown = '', carets = '', reason = ''] = check(pattern).split('\n');
  const start = carets.indexOf('^');
  return [reason.replace('error: ', ''), shown.slice(start, carets.length)];
}

const ACCEPTED = [
  '',
  'abc',
  '(?P<name>a)(?<other>b)(?:c)',
  'a*?b+?c??d{2}e{2,}f{2,3}?',
  'a**',
  'a++',
  '^*',
  'a|',
  '|a',
  '()',
  '(|a)',
  '[[:alpha:]]',
  '[[:^alpha:]]',
  '[[:nonsense:]]',
  '[a-z&&[^aeiou]]',
  '[\\w--_]',
  '[a~~b]',
  '[a[b[c]]]',
  '\\A\\z\\b\\B\\<\\>',
  '\\b{start}\\b{end}\\b{start-half}\\b{end-half}',
  '\\b{2}',
  '\\x41\\x{41}\\u0041\\u{41}\\U00000041\\U{41}',
  '\\a\\f\\t\\n\\r\\v',
  '\\.\\+\\*\\?\\(\\)\\|\\[\\]\\{\\}\\^\\$\\#\\&\\-\\~\\ \\/\\"\\%\\,',
  '[]a]',
  '[^]a]',
  '[-a]',
  '[a-]',
  '[--a]',
  ']',
  '}',
  'a{ 2 , 3 }',
  '(?i)a(?-i)b',
  '(?imsUx-u:a)',
  '(?R)a',
  '(?x) a # comment\n b',
  '(?x: a )b',
  '(?u)\\p{Greek}\\pL\\P{Lu}',
  '(?u)[é]',
  'é',
  '\\xff',
  '[\\xff]',
  '(?-u)a',
  '(a{100}){100}',
  'a{0}',
  'a{4294967295}{0}',
];

const REJECTED: readonly (readonly [pattern: string, reason: string, marked: string])[] = [
  ['(?=a)', 'look-around, including look-ahead and look-behind, is not supported', '(?='],
  ['a(?!b)', 'look-around, including look-ahead and look-behind, is not supported', '(?!'],
  ['(?<=a)b', 'look-around, including look-ahead and look-behind, is not supported', '(?<='],
  ['(?<!a)b', 'look-around, including look-ahead and look-behind, is not supported', '(?<!'],
  ['(a)\\1', 'backreferences are not supported', '\\1'],
  ['\\0', 'backreferences are not supported', '\\0'],
  ['\\9', 'backreferences are not supported', '\\9'],
  ['(?>a)', 'unrecognized flag', '>'],
  ['(?#a)', 'unrecognized flag', '#'],
  ['(?P=a)', 'unrecognized flag', 'P'],
  ['\\Qa\\E', 'unrecognized escape sequence', '\\Q'],
  ['\\e', 'unrecognized escape sequence', '\\e'],
  ['\\cA', 'unrecognized escape sequence', '\\c'],
  ['\\h', 'unrecognized escape sequence', '\\h'],
  ['\\R', 'unrecognized escape sequence', '\\R'],
  ['\\K', 'unrecognized escape sequence', '\\K'],
  ['\\G', 'unrecognized escape sequence', '\\G'],
  ['\\Z', 'unrecognized escape sequence', '\\Z'],
  ['\\é', 'unrecognized escape sequence', '\\é'],
  ['a\\', 'incomplete escape sequence, reached end of pattern prematurely', '\\'],
  ['a{,3}', 'repetition quantifier expects a valid decimal', ''],
  ['a{x}', 'repetition quantifier expects a valid decimal', ''],
  ['a{', 'unclosed counted repetition', '{'],
  ['a{2', 'unclosed counted repetition', '{2'],
  ['a{2,', 'unclosed counted repetition', '{2,'],
  ['a{2,3', 'unclosed counted repetition', '{2,3'],
  ['a{3,2}', 'invalid repetition count range, the start must be <= the end', '{3,2}'],
  ['a{4294967296}', 'decimal literal invalid', '4294967296'],
  ['{2}', 'repetition operator missing expression', ''],
  ['*a', 'repetition operator missing expression', ''],
  ['+a', 'repetition operator missing expression', ''],
  ['?a', 'repetition operator missing expression', ''],
  ['(*a)', 'repetition operator missing expression', ''],
  ['a|*b', 'repetition operator missing expression', ''],
  ['(?i)*', 'repetition operator missing expression', ''],
  ['(?)', 'repetition operator missing expression', ''],
  ['(', 'unclosed group', '('],
  ['(a(b)', 'unclosed group', '('],
  ['(a|b', 'unclosed group', '('],
  ['(?', 'unclosed group', '('],
  [')', 'unopened group', ')'],
  ['a)b', 'unopened group', ')'],
  ['a|b)', 'unopened group', ')'],
  ['[a', 'unclosed character class', '['],
  ['[]', 'unclosed character class', '[]'],
  ['[^', 'unclosed character class', '[^'],
  ['[a[b]', 'unclosed character class', '['],
  ['[z-a]', 'invalid character class range, the start must be <= the end', 'z-a'],
  ['[\\d-z]', 'invalid range boundary, must be a literal', '\\d'],
  ['[a-\\d]', 'invalid range boundary, must be a literal', '\\d'],
  ['[\\b]', 'invalid escape sequence found in character class', '\\b'],
  ['[\\A]', 'invalid escape sequence found in character class', '\\A'],
  ['(?i', 'expected flag but got end of regex', ''],
  ['(?i-)', 'dangling flag negation operator', '-'],
  ['(?y)', 'unrecognized flag', 'y'],
  ['(?P<>a)', 'empty capture group name', ''],
  ['(?P<1>a)', 'invalid capture group character', '1'],
  ['(?P<a', 'unclosed capture group name', ''],
  ['\\x', 'incomplete escape sequence, reached end of pattern prematurely', ''],
  ['\\x4', 'incomplete escape sequence, reached end of pattern prematurely', ''],
  ['\\xg1', 'invalid hexadecimal digit', 'g'],
  ['\\x{}', 'hexadecimal literal empty', '{}'],
  ['\\x{41', 'incomplete escape sequence, reached end of pattern prematurely', '{41'],
  ['\\x{d800}', 'hexadecimal literal is not a Unicode scalar value', 'd800'],
  ['\\x{110000}', 'hexadecimal literal is not a Unicode scalar value', '110000'],
  [
    '\\b{begin}',
    'unrecognized special word boundary assertion, valid choices are: start, end, start-half or end-half',
    'begin',
  ],
  [
    '\\b{start',
    'special word boundary assertion is either unclosed or contains an invalid character',
    '{start',
  ],
  ['\\p{Greek}', 'Unicode not allowed here', '\\p{Greek}'],
  ['\\pL', 'Unicode not allowed here', '\\pL'],
  ['[\\pL]', 'Unicode not allowed here', '\\pL'],
  ['[é]', 'Unicode not allowed here', 'é'],
  ['[a-é]', 'Unicode not allowed here', 'é'],
  ['[\\x{ff}]', 'Unicode not allowed here', '\\x{ff}'],
  ['(?u:a)[é]', 'Unicode not allowed here', 'é'],
];

/** Pieces of patterns, complete and broken. */
const PIECES = [
  'a',
  'é',
  '0',
  '9',
  ' ',
  '\n',
  '#',
  '(',
  '(?',
  '(?:',
  '(?P<',
  '(?i',
  '(?x)',
  '(?u)',
  '(?R',
  ')',
  '[',
  '[^',
  '[:alpha:]',
  ']',
  '{',
  '}',
  '{2',
  ',',
  '<',
  '>',
  '=',
  ':',
  '-',
  '&&',
  '--',
  '~~',
  '|',
  '*',
  '+',
  '?',
  '^',
  '$',
  '.',
  '\\',
  '\\b',
  '\\b{',
  'start',
  '\\p{',
  'L',
  '\\x',
  '\\u',
  '\\d',
  '\\W',
  '\xff',
  '\\Q',
  '999999999999',
] as const;

describe('regexProblem', () => {
  it.each(ACCEPTED)('%s is accepted', (pattern) => {
    expect(check(pattern)).toBe('accepted');
  });

  it.each(REJECTED)('%s is refused: %s', (pattern, reason, marked) => {
    const [said, under] = problem(pattern);
    expect(said).toBe(reason);
    expect(under.trimEnd().startsWith(marked)).toBe(true);
    expect(marked === '' || under === marked).toBe(true);
  });

  it('returns the whole message of the engine', () => {
    expect(check('(a)\\1')).toBe(
      'regex parse error:\n    (a)\\1\n       ^^\nerror: backreferences are not supported',
    );
  });

  it('points at both places of a duplicate', () => {
    expect(check('(?P<n>a)(?P<n>b)')).toBe(
      'regex parse error:\n    (?P<n>a)(?P<n>b)\n        ^       ^\nerror: duplicate capture group name',
    );
    expect(check('(?ii)')).toBe('regex parse error:\n    (?ii)\n      ^^\nerror: duplicate flag');
    expect(check('(?i-s-m)')).toBe(
      'regex parse error:\n    (?i-s-m)\n       ^ ^\nerror: flag negation operator repeated',
    );
  });

  it('numbers the lines of a pattern with line breaks', () => {
    const divider = '~'.repeat(79);
    expect(check('a\n(b')).toBe(
      `regex parse error:\n${divider}\n1: a\n2: (b\n   ^\n${divider}\nerror: unclosed group`,
    );
    expect(check('a{2\n')).toBe(
      `regex parse error:\n${divider}\n1: a{2\n${divider}\non line 1 (column 2) through line 2 (column 0)\nerror: unclosed counted repetition`,
    );
  });

  it('counts columns in characters, not bytes', () => {
    expect(check('é(')).toBe('regex parse error:\n    é(\n     ^\nerror: unclosed group');
  });

  it('limits nesting as the engine does, without overflowing the stack', () => {
    const nested = (depth: number): string => '('.repeat(depth) + 'a' + ')'.repeat(depth);
    expect(check(nested(250))).toBe('accepted');
    expect(check(nested(251))).toContain('exceed the maximum number of nested parentheses/brackets (250)');
    expect(check(nested(50_000))).toContain('exceed the maximum number of nested parentheses/brackets (250)');
    expect(check('['.repeat(50_000))).toContain('unclosed character class');
    expect(check('a'.repeat(150_000))).toBe('accepted');
    expect(check(`a${'*'.repeat(251)}`)).toContain(
      'exceed the maximum number of nested parentheses/brackets (250)',
    );
  });

  it('limits the compiled size without unrolling repetitions', () => {
    expect(check('(a{1000}){1000}')).toBe('Compiled regex exceeds size limit of 10485760 bytes.');
    expect(check(`${'('.repeat(20)}a${'{9})'.repeat(20)}`)).toBe(
      'Compiled regex exceeds size limit of 10485760 bytes.',
    );
    expect(regexProblem('.{4079,65535}', 1_048_576)).toBe(
      'Compiled regex exceeds size limit of 1048576 bytes.',
    );
    expect(regexProblem('.{4079,65535}')).toBeUndefined();
  });

  it('answers for every pattern, and compileRegex compiles none that is refused', () => {
    const pieces = fc.constantFrom(...PIECES);
    fc.assert(
      fc.property(fc.array(pieces, { maxLength: 12 }), (parts) => {
        const pattern = encodeBytes(parts.join(''));
        const problem = regexProblem(pattern);
        const compiled = compileRegex(pattern);
        expect(compiled.ok && problem !== undefined).toBe(false);
        expect(problem).not.toBe('');
        expect(typeof (compiled.ok ? compiled.matches('aé9 \n') : compiled.reason)).toMatch(
          /^(?:boolean|string)$/u,
        );
      }),
      { numRuns: propertyRuns() * 5 },
    );
  });

  it('refuses a pattern that is not UTF-8', () => {
    expect(regexProblem('\xff')).toBe('a regular expression must be valid UTF-8');
  });
});
