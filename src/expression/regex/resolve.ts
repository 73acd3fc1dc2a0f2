import { encodeBytes } from '../values/bytes.ts';
import { foldBytes, foldCodePoints } from './fold.ts';
import { invert, intersect, intervalsOf, unite } from './intervals.ts';
import type { Intervals } from './intervals.ts';
import { NOTHING } from './regex-meaning.ts';
import type { Meaning, Assertion } from './regex-meaning.ts';
import { perlClass, posixClass } from './posix.ts';
import { describeProblem } from './problem.ts';
import type {
  FlagChanges,
  FlagName,
  PatternSpan,
  AssertionName,
  Syntax,
  SyntaxClass,
  SyntaxLiteral,
} from './regex-syntax.ts';
import { encodeSet, LAST_CODE_POINT } from './utf8.ts';

/** The flags at a place of a pattern, without `x`, which concerns only the reader. */
type Flags = Readonly<Record<Exclude<FlagName, 'x'>, boolean>>;

/** The state while a pattern is given its meaning. */
interface Resolver {
  /** The pattern, one code point per element. */
  readonly text: readonly string[];
  flags: Flags;
  /** The encoded classes of code points by text and flags: a pattern may repeat a large class a thousand times. */
  readonly encoded: Map<string, Meaning>;
  /** The message of the regex crate, once it refuses. */
  refused: string | undefined;
  /** The first part of the pattern whose meaning to the service we cannot give. */
  unknown: string | undefined;
}

/** The service's initial flags: Unicode is off (rules-language.md 2.5). */
const INITIAL_FLAGS: Flags = { i: false, m: false, s: false, U: false, u: false, R: false };

/** Returns the flags after a change. */
function changeFlags(flags: Flags, changes: FlagChanges): Flags {
  return changes.size === 0 ? flags : { ...flags, ...Object.fromEntries(changes) };
}

/** Records that the regex crate requires Unicode at a place; the first refusal counts. */
function refuseUnicode(resolver: Resolver, span: PatternSpan): void {
  resolver.refused ??= describeProblem(resolver.text, { message: 'Unicode not allowed here', span });
}

/** Records a part whose meaning we do not know, and returns the substitute. */
function unknown<T>(resolver: Resolver, part: string, instead: T): T {
  resolver.unknown ??= part;
  return instead;
}

/**
 * The meaning of a pattern; the message of the regex crate, which refuses some patterns only at this stage; or the part that the service
 * may accept but whose meaning we cannot give.
 */
export type ResolveResult =
  | { readonly kind: 'meaning'; readonly meaning: Meaning }
  | { readonly kind: 'refused'; readonly message: string }
  | { readonly kind: 'unknown'; readonly part: string };

/** Gives a pattern its meaning over bytes, with Unicode off until a flag switches it on (rules-language.md 2.5). */
export function resolvePattern(read: {
  readonly syntax: Syntax;
  readonly text: readonly string[];
}): ResolveResult {
  const resolver: Resolver = {
    text: read.text,
    flags: INITIAL_FLAGS,
    encoded: new Map(),
    refused: undefined,
    unknown: undefined,
  };
  const meaning = resolve(resolver, read.syntax);
  if (resolver.refused !== undefined) {
    return { kind: 'refused', message: resolver.refused };
  }
  return resolver.unknown === undefined
    ? { kind: 'meaning', meaning }
    : { kind: 'unknown', part: resolver.unknown };
}

function resolve(resolver: Resolver, node: Syntax): Meaning {
  const { flags } = resolver;
  switch (node.kind) {
    case 'empty':
      return NOTHING;
    case 'flags':
      resolver.flags = changeFlags(flags, node.changes);
      return NOTHING;
    case 'literal':
      return resolveLiteral(resolver, node);
    case 'dot':
      return resolveDot(resolver);
    case 'assertion':
      return resolveAssertion(resolver, node.name);
    case 'class':
      return flags.u
        ? resolveCodePoints(resolver, node.class)
        : { kind: 'set', bytes: resolveClass(resolver, node.class) };
    case 'repeat': {
      const body = resolve(resolver, node.body);
      return { kind: 'repeat', body, min: node.min, max: node.max, greedy: node.lazy === flags.U };
    }
    case 'group': {
      resolver.flags = changeFlags(flags, node.changes);
      const body = resolve(resolver, node.body);
      resolver.flags = flags;
      return node.capturing ? { kind: 'capture', body } : body;
    }
    case 'concat':
      return { kind: 'sequence', parts: node.parts.map((part) => resolve(resolver, part)) };
    case 'alternate':
      return { kind: 'choice', parts: node.parts.map((part) => resolve(resolver, part)) };
    default:
      return node satisfies never;
  }
}

function resolveCodePoints(resolver: Resolver, node: SyntaxClass): Meaning {
  const { start, end } = node.span;
  const key = `${resolver.flags.i} ${resolver.text.slice(start, end).join('')}`;
  return encodeOnce(resolver, key, () => resolveClass(resolver, node));
}

function encodeOnce(resolver: Resolver, key: string, resolveSet: () => Intervals): Meaning {
  const meaning = resolver.encoded.get(key) ?? encodeSet(resolveSet());
  resolver.encoded.set(key, meaning);
  return meaning;
}

function resolveLiteral(resolver: Resolver, literal: SyntaxLiteral): Meaning {
  const { codePoint } = literal;
  const { i, u } = resolver.flags;
  if (literal.byte && !u) {
    // A byte beyond ASCII has no case.
    const bytes = foldBytes([[codePoint, codePoint]]);
    return i ? { kind: 'set', bytes } : { kind: 'bytes', text: String.fromCharCode(codePoint) };
  }
  const text = encodeBytes(String.fromCodePoint(codePoint));
  if (!i || (codePoint > 0x7f && !u)) {
    return { kind: 'bytes', text };
  }
  if (!u) {
    return { kind: 'set', bytes: foldBytes([[codePoint, codePoint]]) };
  }
  const folded = foldCodePoints([[codePoint, codePoint]]);
  return folded === undefined
    ? unknown(resolver, 'case-insensitive Unicode beyond ASCII', NOTHING)
    : encodeSet(folded);
}

function resolveDot(resolver: Resolver): Meaning {
  const { s, u, R } = resolver.flags;
  const last = u ? LAST_CODE_POINT : 0xff;
  const breaks = R ? [[0x0a, 0x0a] as const, [0x0d, 0x0d] as const] : [[0x0a, 0x0a] as const];
  const set = invert(s ? [] : breaks, last);
  return u ? encodeOnce(resolver, `${s} ${R} .`, () => set) : { kind: 'set', bytes: set };
}

const WORD_LOOKS: Readonly<Record<Exclude<AssertionName, '^' | '$' | '\\A' | '\\z'>, Assertion>> = {
  '\\b': 'boundary',
  '\\B': 'no-boundary',
  '\\b{start}': 'word-start',
  '\\b{end}': 'word-end',
  '\\b{start-half}': 'word-start-half',
  '\\b{end-half}': 'word-end-half',
};

function resolveAssertion(resolver: Resolver, name: AssertionName): Meaning {
  const { m, u, R } = resolver.flags;
  switch (name) {
    case '\\A':
      return { kind: 'look', look: 'start' };
    case '\\z':
      return { kind: 'look', look: 'end' };
    case '^':
    case '$':
      if (m && R) {
        return unknown(resolver, 'line anchors with CRLF line ends', NOTHING);
      }
      return { kind: 'look', look: `${m ? 'line-' : ''}${name === '^' ? 'start' : 'end'}` };
    case '\\b':
    case '\\B':
    case '\\b{start}':
    case '\\b{end}':
    case '\\b{start-half}':
    case '\\b{end-half}':
      return u
        ? unknown(resolver, 'word boundaries of Unicode', NOTHING)
        : { kind: 'look', look: WORD_LOOKS[name] };
    default:
      return name satisfies never;
  }
}

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
function resolveClass(resolver: Resolver, node: SyntaxClass): Intervals {
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
