import { describe, expect, test } from 'vitest';
import type { Tree } from '../../src/expression/language/ast.ts';
import { differenceOf } from '../../src/expression/difference.ts';
import { parseExpression } from '../../src/expression/parse/parse-expression.ts';
import { sameMeaning } from '../../src/expression/same-meaning.ts';
import { DIFFERENT, SAME } from './cases/meanings.ts';
import { CASE_SCHEME } from './cases/scheme.ts';

function treeOf(text: string, mode: 'filter' | 'value' = 'filter'): Tree {
  const result = parseExpression(text, { scheme: CASE_SCHEME, mode });
  if (!result.ok) {
    throw new Error(`${text}: ${result.error.message}`);
  }
  return result.tree;
}

describe('sameMeaning', () => {
  test.each(SAME)('%s means %s', (one, other) => {
    expect(sameMeaning(treeOf(one), treeOf(other))).toBe(true);
    expect(sameMeaning(treeOf(other), treeOf(one))).toBe(true);
    expect(differenceOf(treeOf(one), treeOf(other))).toEqual([]);
  });

  test.each(DIFFERENT)('%s does not provably mean %s', (one, other) => {
    expect(sameMeaning(treeOf(one), treeOf(other))).toBe(false);
    expect(sameMeaning(treeOf(other), treeOf(one))).toBe(false);
    expect(differenceOf(treeOf(one), treeOf(other))).not.toEqual([]);
  });

  test('compares value expressions', () => {
    expect(sameMeaning(treeOf('concat(text,"a")', 'value'), treeOf('concat(text, "b")', 'value'))).toBe(
      false,
    );
    expect(sameMeaning(treeOf('concat(text,"a")', 'value'), treeOf('concat( text, r"a" )', 'value'))).toBe(
      true,
    );
    expect(sameMeaning(treeOf('flag', 'value'), treeOf('flag'))).toBe(false);
  });

  test('compares expressions of 3,000 clauses', () => {
    const clauses = Array.from({ length: 3000 }, (_, index) => `text eq "${index}"`);
    expect(sameMeaning(treeOf(clauses.join(' or ')), treeOf(clauses.toReversed().join(' or ')))).toBe(true);
    const mixed = clauses.map((clause) => `(${clause} and flag)`);
    expect(sameMeaning(treeOf(mixed.join(' or ')), treeOf(mixed.toReversed().join(' or ')))).toBe(true);
  });
});

describe('differenceOf', () => {
  test.each<readonly [string, string, readonly unknown[]]>([
    ['flag', 'flag and num eq 1', [{ kind: 'added', clause: 'num eq 1', joined: 'and' }]],
    ['flag or num eq 1', 'flag', [{ kind: 'removed', clause: 'num eq 1', joined: 'or' }]],
    [
      'flag and num in {1 2 3}',
      'num in {2 3 4} and flag',
      [{ kind: 'items', operand: 'num', added: ['4'], removed: ['1'] }],
    ],
    [
      'addr eq 192.0.2.1',
      'addr in {192.0.2.1 ::1}',
      [{ kind: 'items', operand: 'addr', added: ['::1'], removed: [] }],
    ],
    [
      'flag and not text in {"a" "b"}',
      'flag and not text in {"a"}',
      [{ kind: 'items', operand: 'text', added: [], removed: ['"b"'] }],
    ],
    [
      'flag and (num eq 1 or other_flag)',
      'flag and (num eq 1 or other_flag or text eq "a")',
      [{ kind: 'added', clause: 'text eq "a"', joined: 'or' }],
    ],
    [
      'num eq 1 or num eq 2 or flag',
      'num in {1 2 3} or flag or other_flag',
      [
        { kind: 'items', operand: 'num', added: ['3'], removed: [] },
        { kind: 'added', clause: 'other_flag', joined: 'or' },
      ],
    ],
    [
      'not num eq 1 and not num eq 2 and flag',
      'not num in {1 3} and flag',
      [{ kind: 'items', operand: 'num', added: ['3'], removed: ['2'] }],
    ],
    [
      'flag xor flag',
      'flag xor flag xor flag',
      [{ kind: 'replaced', before: 'flag xor flag', after: 'flag xor flag xor flag' }],
    ],
    [
      'flag or num eq 1',
      '(flag or num eq 1) and not other_flag',
      [{ kind: 'added', clause: 'not other_flag', joined: 'and' }],
    ],
    [
      'flag and num eq 1 or other_flag',
      'flag and num eq 1',
      [{ kind: 'removed', clause: 'other_flag', joined: 'or' }],
    ],
    ['flag', 'other_flag', [{ kind: 'replaced', before: 'flag', after: 'other_flag' }]],
    ['flag', 'not flag', [{ kind: 'replaced', before: 'flag', after: 'not flag' }]],
    [
      'flag and text contains "a"',
      'flag and text contains "b"',
      [
        { kind: 'removed', clause: 'text contains "a"', joined: 'and' },
        { kind: 'added', clause: 'text contains "b"', joined: 'and' },
      ],
    ],
  ])('%s to %s', (before, after, changes) => {
    expect(differenceOf(treeOf(before), treeOf(after))).toEqual(changes);
  });
});
