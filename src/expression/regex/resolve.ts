import { encodeBytes } from '../values/bytes.ts';
import { foldBytes, foldCodePoints } from './fold.ts';
import { invert } from './intervals.ts';
import type { Intervals } from './intervals.ts';
import { NOTHING } from './meaning.ts';
import type { Assertion, Meaning } from './meaning.ts';
import { resolveClass } from './resolve-class.ts';
import { changeFlags, INITIAL_FLAGS, unknown } from './resolver.ts';
import type { Resolver } from './resolver.ts';
import type { AssertionName, Syntax, SyntaxClass, SyntaxLiteral } from './syntax.ts';
import { encodeSet, LAST_CODE_POINT } from './utf8.ts';

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
