import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { Condition, Tree } from '../../src/expression/language/ast.ts';
import { compileExpression } from '../../src/expression/evaluate/compile-expression.ts';
import { excludes, implies } from '../../src/expression/implies.ts';
import { parseExpression } from '../../src/expression/parse/parse-expression.ts';
import type { Values } from '../../src/expression/values/value.ts';
import { propertyRuns } from '../property-runs.ts';
import { filter, smallCondition, textTest, values } from './arbitrary.ts';
import * as build from './build.ts';
import { CASE_SCHEME } from './cases/scheme.ts';

function treeOf(text: string): Tree {
  const result = parseExpression(text, { scheme: CASE_SCHEME });
  if (!result.ok) {
    throw new Error(`${text}: ${result.error.message}`);
  }
  return result.tree;
}

function holds(tree: Tree, given: Values, nilNotEqual: boolean): boolean {
  const compiled = compileExpression(tree, { nilNotEqual });
  if (!compiled.ok) {
    throw new Error(JSON.stringify(compiled));
  }
  return compiled.evaluate(given) === true;
}

/** Left implies right. */
const IMPLIED: readonly (readonly [string, string])[] = [
  ['flag', 'flag'],
  ['flag and num eq 1', 'flag'],
  ['flag', 'flag or other_flag'],
  ['flag and num eq 1', 'num eq 1 or other_flag'],
  ['num eq 3', 'num in {1 2 3}'],
  ['num in {2 3}', 'num in {1..5}'],
  ['num lt 3', 'num lt 5'],
  ['num ge 5', 'num gt 4'],
  ['num eq 3', 'num lt 5'],
  ['addr in {192.0.2.0/25}', 'addr in {192.0.2.0/24 ::1}'],
  ['text contains "abc"', 'text contains "b"'],
  ['text in {"/a/b" "/a/c"}', 'text contains "/a"'],
  ['text eq "/a/b"', 'starts_with(text, "/a")'],
  ['text in {"/a.php" "/b.php"}', 'ends_with(text, ".php")'],
  ['starts_with(text, "/a/b")', 'starts_with(text, "/a")'],
  ['ends_with(text, ".min.js")', 'text contains ".js"'],
  ['text strict wildcard "/a/*/c"', 'starts_with(text, "/a/")'],
  ['text eq "/A"', 'text wildcard "/a*"'],
  ['text wildcard "/a*c*"', 'text wildcard "/A*"'],
  ['text wildcard "/1*"', 'starts_with(text, "/1")'],
  ['text eq "/A"', 'lower(text) eq "/a"'],
  ['starts_with(text, "/A")', 'starts_with(upper(text), "/A")'],
  ['lower(text) eq "A"', 'starts_with(text, "b")'],
  ['text eq "a"', 'text ne "b"'],
  ['addr in {192.0.2.0/24}', 'addr ne 198.51.100.1'],
  ['num lt 3', 'num ne 3'],
  ['not flag', 'not (flag and other_flag)'],
  ['not (flag or other_flag)', 'not flag'],
  ['not num in {1 2 3}', 'not num eq 2'],
  ['num eq 1', 'not num eq 2'],
  ['flag and not addr in {192.0.2.0/24 ::1}', 'flag and not addr in {192.0.2.0/25}'],
  ['text matches "^/adm"', 'starts_with(text, "/adm")'],
  ['starts_with(text, "/adm")', 'text matches "^/adm"'],
  ['text matches "/a"', 'text contains "/a"'],
  ['text matches r"^/a\\.php$"', 'text eq "/a.php"'],
];

/** Left does not imply right, or it cannot be proven; the second kind guards against unsound rules. */
const NOT_IMPLIED: readonly (readonly [string, string])[] = [
  ['flag', 'flag and num eq 1'],
  ['flag or other_flag', 'flag'],
  ['num in {1 2 3}', 'num eq 3'],
  ['num lt 5', 'num lt 3'],
  ['text contains "b"', 'text contains "abc"'],
  ['not flag', 'flag'],
  ['num ne 1', 'not num eq 2'],
  ['not num eq 1', 'num ne 1'],
  ['nums[0] ne 1', 'not nums[0] eq 1 and nums[0] ne 2'],
  ['addr in {192.0.2.0/24}', 'addr in {192.0.2.0/25 192.0.2.200/31}'],
  ['any(nums[*] eq 1)', 'any(nums[*] eq 2)'],
  ['text wildcard "/a*"', 'starts_with(text, "/a")'],
  ['lower(text) eq "/a"', 'text eq "/a"'],
  ['starts_with(text, "/a")', 'starts_with(text, "/a/b")'],
  ['text contains "a"', 'starts_with(text, "a")'],
  ['starts_with(texts[0], "/a")', 'starts_with(text, "/a")'],
  ['num ne 1', 'num ne 2'],
  ['num in {1..5}', 'num ne 3'],
  ['text matches "^/a.c"', 'starts_with(text, "/a.c")'],
  ['starts_with(text, "/a.c")', 'text matches "^/a.d"'],
  // A value of which nobody knows that it is never missing.
  ['flag', 'addr in {0.0.0.0/0 ::/0}'],
];

describe('implies', () => {
  it.each(IMPLIED)('%s implies %s', (one, other) => {
    expect(implies(treeOf(one), treeOf(other))).toBe(true);
  });

  it.each(NOT_IMPLIED)('%s does not provably imply %s', (one, other) => {
    expect(implies(treeOf(one), treeOf(other))).toBe(false);
  });

  it('is never wrong: on values that satisfy the first, the second holds (random trees and their edits)', () => {
    const asTree = (root: Condition): Tree => ({ mode: 'filter', root });
    const pairs = fc.oneof(
      fc.tuple(smallCondition, smallCondition).map(([one, other]) => [asTree(one), asTree(other)] as const),
      fc.tuple(filter, filter).map(([one, other]) => [one, other] as const),
      fc.tuple(textTest, textTest).map(([one, other]) => [asTree(one), asTree(other)] as const),
      fc
        .tuple(smallCondition, smallCondition, fc.constantFrom('and', 'or', 'xor'))
        .map(
          ([one, other, kind]) =>
            [asTree(build.join(kind, [build.group(one), build.group(other)])), asTree(one)] as const,
        ),
    );
    let proven = 0;
    fc.assert(
      fc.property(pairs, fc.array(values, { minLength: 1, maxLength: 8 }), ([one, other], given) => {
        const forward = implies(one, other);
        const apart = excludes(one, other);
        proven += forward || apart ? 1 : 0;
        const wrong = [true, false].flatMap((nilNotEqual) =>
          given
            .filter((some) => holds(one, some, nilNotEqual))
            .filter((some) => (holds(other, some, nilNotEqual) ? apart : forward)),
        );
        expect(wrong).toEqual([]);
      }),
      { numRuns: propertyRuns() * 5 },
    );
    expect(proven).toBeGreaterThan(propertyRuns() / 10);
  });

  it('gives up on hostile expressions instead of searching on', () => {
    const clauses = (name: string, count: number): string =>
      Array.from({ length: count }, (_, index) => `(text eq "${name}${index}" or num eq ${index})`).join(
        ' and ',
      );
    expect(implies(treeOf(clauses('a', 60)), treeOf(`(${clauses('b', 60)}) or flag`))).toBe(false);
  });
});

describe('excludes', () => {
  it.each([
    ['num eq 1', 'num eq 2'],
    ['num lt 3', 'num gt 5'],
    ['flag', 'not flag'],
    ['flag and num eq 1', 'num in {2 3} and other_flag'],
    ['addr in {192.0.2.0/25}', 'addr in {192.0.2.128/25}'],
    ['text eq "/a"', 'text contains "b"'],
    ['text eq "/login"', 'starts_with(text, "/editor")'],
    ['text in {"/login" "/logout"}', 'ends_with(text, ".php")'],
    ['starts_with(text, "/login")', 'starts_with(text, "/editor")'],
    ['ends_with(text, ".php")', 'text strict wildcard "/a*.html"'],
    ['lower(text) eq "/login"', 'starts_with(text, "/Editor")'],
    ['starts_with(lower(text), "/A")', 'text contains "/a"'],
    ['text wildcard "/a*"', 'text eq "/B"'],
    ['text eq "a"', 'text ne "a"'],
    ['num eq 3', 'num ne 3'],
    ['flag and starts_with(text, "/a")', 'not starts_with(text, "/a")'],
    ['text eq "/a/b"', 'not starts_with(text, "/a")'],
  ])('no request satisfies both %s and %s', (one, other) => {
    expect(excludes(treeOf(one), treeOf(other))).toBe(true);
    expect(excludes(treeOf(other), treeOf(one))).toBe(true);
  });

  it.each([
    ['num eq 1', 'num in {1 2}'],
    ['flag', 'other_flag'],
    ['num lt 3', 'num gt 1'],
    ['text contains "a"', 'text contains "b"'],
    ['starts_with(text, "/a")', 'starts_with(text, "/a/b")'],
    ['starts_with(text, "/a")', 'ends_with(text, "a")'],
    ['text wildcard "/A*"', 'starts_with(text, "/a")'],
    ['lower(text) eq "/a"', 'text eq "/A"'],
    ['starts_with(texts[0], "/a")', 'starts_with(text, "/b")'],
    ['num in {2 3}', 'num ne 3'],
  ])('some request may satisfy both %s and %s', (one, other) => {
    expect(excludes(treeOf(one), treeOf(other))).toBe(false);
  });
});
