import { describe, expect, it } from 'vitest';
import type { Tree } from '../../src/expression/language/ast.ts';
import { demandApart, demandsOf } from '../../src/expression/imply/demands.ts';
import { excludes, implies, isAlwaysTrue } from '../../src/expression/implies.ts';
import { withOpaque } from '../../src/expression/opaque.ts';
import { parseExpression } from '../../src/expression/parse/parse-expression.ts';

type Filter = Extract<Tree, { readonly mode: 'filter' }>;

function known(text: string): Filter {
  const result = parseExpression(text);
  if (!result.ok || result.tree.mode !== 'filter') {
    throw new Error(`${text} is no condition`);
  }
  return result.tree;
}

/** The condition as proofs get it when `<S>` and `<T>` stand for other texts. */
function opaque(text: string): Filter {
  return withOpaque(known(text), (literal) => /<[A-Z]>/u.test(literal));
}

/** Pairs that the spelling of the placeholder would prove, but not the text that it stands for. */
const WITHIN: readonly (readonly [string, string])[] = [
  ['http.host eq "<S>"', 'http.host contains "S"'],
  ['http.host eq "<S>"', 'http.host ne "a"'],
  ['http.host in {"a" "<S>"}', 'not http.host eq "b"'],
  ['starts_with(http.host, "<S>")', 'starts_with(http.host, "<")'],
  ['http.host eq "<S>"', 'http.host wildcard "<*>"'],
  ['http.host wildcard "<S>"', 'http.host contains ">"'],
];

const APART: readonly (readonly [string, string])[] = [
  ['http.host eq "<S>"', 'http.host eq "<T>"'],
  ['http.host eq "<S>"', 'http.host eq "a"'],
  ['http.host in {"b" "<S>"}', 'http.host eq "a"'],
  ['ends_with(http.host, "<S>")', 'http.host eq "a"'],
  ['http.host contains "<S>"', 'http.host eq "a"'],
];

describe('a text that is a placeholder for another', () => {
  it.each(WITHIN)('proves nothing by its spelling: %s is not within %s', (one, other) => {
    expect(implies(known(one), known(other))).toBe(true);
    expect(implies(opaque(one), opaque(other))).toBe(false);
  });

  it.each(APART)('excludes no other text: %s and %s', (one, other) => {
    expect(excludes(known(one), known(other))).toBe(true);
    expect(excludes(opaque(one), opaque(other))).toBe(false);
    expect(demandApart(demandsOf(opaque(one)), demandsOf(opaque(other)))).toBe(false);
  });

  it('makes no condition always true', () => {
    const text = 'http.host ne "<S>" or http.host ne "a"';
    expect(isAlwaysTrue(known(text))).toBe(true);
    expect(isAlwaysTrue(opaque(text))).toBe(false);
  });

  it('counts as the same text in every place', () => {
    const test = 'http.request.headers["x"][0] eq "<S>"';
    expect(implies(opaque(`ssl and ${test}`), opaque(test))).toBe(true);
    expect(implies(opaque(test), opaque('http.request.headers["x"][0] in {"<S>"} or ssl'))).toBe(true);
    expect(excludes(opaque(test), opaque(`ssl and not ${test}`))).toBe(true);
    expect(isAlwaysTrue(opaque(`${test} or not ${test}`))).toBe(true);
    expect(implies(opaque(test), opaque(test.replace('S', 'T')))).toBe(false);
  });

  it('does not affect what other clauses prove', () => {
    const any = 'any(http.request.headers["x"][*] eq "<S>")';
    expect(implies(opaque(`http.host eq "a" and ${any}`), opaque('http.host in {"a" "b"}'))).toBe(true);
    expect(excludes(opaque(`http.host eq "a" and ${any}`), opaque('http.host eq "b"'))).toBe(true);
  });
});
