import { intern } from '../values/bytes.ts';
import type { Meaning } from './regex-meaning.ts';

/** A literal with or without anchors, as most patterns in rules are. */
export interface AnchoredLiteral {
  readonly text: string;
  readonly fromStart: boolean;
  readonly toEnd: boolean;
}

/**
 * Returns the literal that a pattern is; undefined for any other pattern. An optional part at an unanchored end does not change whether the
 * pattern matches and is left out: `^/api/.*` is a prefix.
 */
export function literalOf(meaning: Meaning): AnchoredLiteral | undefined {
  const parts = partsInSequence(meaning);
  while (isOptional(parts.at(-1))) {
    parts.pop();
  }
  while (isOptional(parts[0])) {
    parts.shift();
  }
  const fromStart = isLook(parts[0], 'start');
  const toEnd = isLook(parts.at(-1), 'end');
  const middle = parts.slice(fromStart ? 1 : 0, toEnd ? -1 : parts.length);
  let text = '';
  for (const part of middle) {
    if (part.kind !== 'bytes') {
      return undefined;
    }
    text += part.text;
  }
  return { text, fromStart, toEnd };
}

/** Returns a predicate of plain string searches for a pattern that is a literal; undefined for any other. */
export function compileLiteral(meaning: Meaning): ((subject: string) => boolean) | undefined {
  const literal = literalOf(meaning);
  if (literal === undefined) {
    return undefined;
  }
  const text = intern(literal.text);
  if (literal.fromStart) {
    return literal.toEnd ? (subject) => subject === text : (subject) => subject.startsWith(text);
  }
  return literal.toEnd ? (subject) => subject.endsWith(text) : (subject) => subject.includes(text);
}

/** Returns the parts of a meaning that match one after another, with groups dissolved. */
export function partsInSequence(meaning: Meaning): Meaning[] {
  if (meaning.kind === 'capture') {
    return partsInSequence(meaning.body);
  }
  return meaning.kind === 'sequence' ? meaning.parts.flatMap(partsInSequence) : [meaning];
}

function isOptional(part: Meaning | undefined): boolean {
  return part?.kind === 'repeat' && part.min === 0;
}

function isLook(part: Meaning | undefined, look: 'start' | 'end'): boolean {
  return part?.kind === 'look' && part.look === look;
}
