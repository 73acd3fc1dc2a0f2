import { foldBytes, foldCodePoints } from './fold.ts';
import { intersect, intervalsOf, invert, unite } from './intervals.ts';
import type { Intervals } from './intervals.ts';
import { perlClass, posixClass } from './posix.ts';
import type { Resolver } from './resolver.ts';
import { refuseUnicode, unknown } from './resolver.ts';
import type { SyntaxClass, SyntaxLiteral } from './syntax.ts';
import { LAST_CODE_POINT } from './utf8.ts';

// Properties that depend on which code points are assigned, which differs between versions of Unicode.
const VERSION_BOUND = /^(?:C|Cn|Other|Unassigned|Assigned)$/iu;
const SCRIPT_KEYS = /^(?:sc|script)$/iu;
const EXTENSION_KEYS = /^(?:scx|script_extensions)$/iu;
const CATEGORY_KEYS = /^(?:gc|general_category)$/iu;

const known = new Map<string, Intervals>();

/**
 * Returns the code points of `\p{name}`, from the Unicode data of the JavaScript engine; undefined when the engine does not know the name
 * as written, or when its meaning depends on the version of Unicode. Code points assigned after the engine's version are missing.
 */
function propertyCodePoints(name: string): Intervals | undefined {
  const written = /^(?:([A-Za-z_]+)\s*(?:=|:)\s*)?([A-Za-z0-9_]+)$/u.exec(name);
  const value = written?.[2];
  if (value === undefined || VERSION_BOUND.test(value)) {
    return undefined;
  }
  for (const property of candidates(written?.[1], value)) {
    const found = known.get(property) ?? scan(property);
    if (found !== undefined) {
      known.set(property, found);
      return found;
    }
  }
  return undefined;
}

/** Returns the code points of `\d`, `\s` or `\w` where Unicode is on (Annex C of Unicode's report on regular expressions). */
function perlCodePoints(name: 'd' | 's' | 'w'): Intervals {
  const properties = {
    d: ['Nd'],
    s: ['White_Space'],
    w: ['Alphabetic', 'M', 'Nd', 'Pc', 'Join_Control'],
  }[name];
  return intervalsOf(properties.flatMap((property) => propertyCodePoints(property) ?? []));
}

function candidates(key: string | undefined, value: string): readonly string[] {
  if (key === undefined) {
    return [value, `Script=${value}`];
  }
  if (SCRIPT_KEYS.test(key)) {
    return [`Script=${value}`];
  }
  if (EXTENSION_KEYS.test(key)) {
    return [`Script_Extensions=${value}`];
  }
  return CATEGORY_KEYS.test(key) ? [`General_Category=${value}`] : [];
}

const BLOCK = 0x10_00;

/** Finds the runs of a property in all code points except surrogates, block by block. */
function scan(property: string): Intervals | undefined {
  let runs: RegExp;
  try {
    runs = new RegExp(`\\p{${property}}+`, 'gu');
  } catch {
    return undefined;
  }
  const ranges: [number, number][] = [];
  for (let block = 0; block <= LAST_CODE_POINT; block += BLOCK) {
    const unitsEach = block > 0xff_ff ? 2 : 1;
    for (const { index, 0: run } of textOfBlock(block).matchAll(runs)) {
      const first = block + index / unitsEach;
      ranges.push([first, first + run.length / unitsEach - 1]);
    }
  }
  return intervalsOf(ranges);
}

function textOfBlock(block: number): string {
  const codePoints = Array.from({ length: BLOCK }, (_, index) => block + index);
  // The second half of this block are surrogates, which would join with one another.
  return block === 0xd0_00
    ? String.fromCodePoint(...codePoints.filter((codePoint) => codePoint < 0xd8_00))
    : String.fromCodePoint(...codePoints);
}

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
