import { isNullable } from './meaning.ts';
import type { Meaning, MeaningRepeat } from './meaning.ts';

// What the engine's automaton takes, in bytes: a state, a transition of a state with several, a branch of a choice.
const STATE = 32;
const TRANSITION = 8;
const BRANCH = 4;
const SPLIT = STATE + 2 * BRANCH;

/**
 * How many bytes the engine's automaton for a meaning takes, before its optimisations (rules-language.md 2.5). Linear in the
 * size of the pattern: repetitions are counted, not unrolled. May be infinite.
 */
export function compiledSize(meaning: Meaning): number {
  switch (meaning.kind) {
    case 'bytes':
      return STATE * Math.max(1, meaning.text.length);
    case 'set':
      return meaning.bytes.length <= 1 ? 2 * STATE : 2 * STATE + TRANSITION * meaning.bytes.length;
    case 'look':
      return STATE;
    case 'capture':
      return 2 * STATE + compiledSize(meaning.body);
    case 'sequence':
      return meaning.parts.length === 0 ? STATE : sum(meaning.parts);
    case 'choice':
      return 2 * STATE + BRANCH * meaning.parts.length + sum(meaning.parts);
    case 'repeat':
      return repeatSize(meaning);
    default:
      return meaning satisfies never;
  }
}

/** The number of states that a meaning takes, about: what bounds the work for each byte of a subject. */
export function stateCount(meaning: Meaning): number {
  return Math.ceil(compiledSize(meaning) / STATE);
}

function repeatSize({ body, min, max }: MeaningRepeat): number {
  const once = compiledSize(body);
  if (max === undefined) {
    return min === 0 && isNullable(body) ? once + 2 * SPLIT + STATE : Math.max(1, min) * once + SPLIT;
  }
  const optional = max === min ? 0 : STATE + (max - min) * (once + SPLIT);
  return (min === 0 ? STATE : min * once) + optional;
}

function sum(parts: readonly Meaning[]): number {
  return parts.reduce((total, part) => total + compiledSize(part), 0);
}
