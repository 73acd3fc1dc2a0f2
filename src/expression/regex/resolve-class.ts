import { foldBytes, foldCodePoints } from './fold.ts';
import { intersect, intervalsOf, invert, unite } from './intervals.ts';
import type { Intervals } from './intervals.ts';
import { perlClass, posixClass } from './posix.ts';
import type { Resolver } from './resolver.ts';
import { refuseUnicode, unknown } from './resolver.ts';
import type { SyntaxClass, SyntaxLiteral } from './syntax.ts';
import { perlCodePoints, propertyCodePoints } from './unicode.ts';
import { LAST_CODE_POINT } from './utf8.ts';

/**
 * Returns the bytes of a class, or its code points where Unicode is on. As in the regex crate, case is folded before a set is negated, and
 * on both sides of an operation.
 */
export function resolveClass(resolver: Resolver, node: SyntaxClass): Intervals {
  const last = resolver.flags.u ? LAST_CODE_POINT : 0xff;
  const negate = (set: Intervals, negated: boolean): Intervals => (negated ? invert(set, last) : set);
  switch (node.kind) {
    case 'nothing':
      return [];
    case 'literal':
      return one(member(resolver, node));
    case 'range':
      return [[member(resolver, node.first), member(resolver, node.last)]];
    case 'perl':
      return negate(resolver.flags.u ? perlCodePoints(node.name) : perlClass(node.name), node.negated);
    case 'posix':
      return negate(posixClass(node.name), node.negated);
    case 'property':
      return resolveProperty(resolver, node);
    case 'bracketed':
      return negate(fold(resolver, resolveClass(resolver, node.set)), node.negated);
    case 'union':
      return intervalsOf(node.items.flatMap((item) => resolveClass(resolver, item)));
    case 'operation':
      return operate(
        node.operator,
        fold(resolver, resolveClass(resolver, node.left)),
        fold(resolver, resolveClass(resolver, node.right)),
      );
    default:
      return node satisfies never;
  }
}

function one(value: number): Intervals {
  return [[value, value]];
}

/** Returns the byte that a literal in a class stands for, or its code point where Unicode is on. */
function member(resolver: Resolver, literal: SyntaxLiteral): number {
  if (!resolver.flags.u && literal.codePoint > 0x7f && !(literal.byte && literal.codePoint <= 0xff)) {
    refuseUnicode(resolver, literal.span);
    return 0;
  }
  return literal.codePoint;
}

function operate(operator: '&&' | '--' | '~~', left: Intervals, right: Intervals): Intervals {
  const outside = (set: Intervals): Intervals => invert(set, LAST_CODE_POINT);
  const difference = (a: Intervals, b: Intervals): Intervals => intersect(a, outside(b));
  switch (operator) {
    case '&&':
      return intersect(left, right);
    case '--':
      return difference(left, right);
    case '~~':
      return unite(difference(left, right), difference(right, left));
    default:
      return operator satisfies never;
  }
}

function fold(resolver: Resolver, set: Intervals): Intervals {
  if (!resolver.flags.i) {
    return set;
  }
  if (!resolver.flags.u) {
    return foldBytes(set);
  }
  return foldCodePoints(set) ?? unknown(resolver, 'case-insensitive Unicode beyond ASCII', set);
}

function resolveProperty(
  resolver: Resolver,
  node: Extract<SyntaxClass, { readonly kind: 'property' }>,
): Intervals {
  if (!resolver.flags.u) {
    refuseUnicode(resolver, node.span);
    return [];
  }
  const unequal = node.name.includes('!=');
  const set = propertyCodePoints(node.name.replace('!=', '='));
  if (set === undefined) {
    return unknown(resolver, `the Unicode property \\p{${node.name}}`, []);
  }
  const folded = fold(resolver, set);
  return node.negated === unequal ? folded : invert(folded, LAST_CODE_POINT);
}
