import { isNullable } from './meaning.ts';
import type { Meaning, MeaningRepeat } from './meaning.ts';

// Sizes in the engine's automaton, in bytes: a state, a transition of a state with several, a branch of a choice.
const STATE = 32;
const TRANSITION = 8;
const BRANCH = 4;
const SPLIT = STATE + 2 * BRANCH;

/** Whether equal endings of encoded code points share a state, as in the engine, or not, as in the automaton that we run. */
type Endings = 'shared' | 'apart';

/**
 * Returns the size in bytes of the engine's automaton for a meaning, before optimisations (rules-language.md 2.5). Linear in the size of
 * the pattern: repetitions are counted, not unrolled. May be infinite.
 */
export function compiledSize(meaning: Meaning): number {
  return measure(meaning, 'shared');
}

function measure(meaning: Meaning, endings: Endings): number {
  switch (meaning.kind) {
    case 'bytes':
      return STATE * Math.max(1, meaning.text.length);
    case 'set':
      return meaning.bytes.length <= 1 ? 2 * STATE : 2 * STATE + TRANSITION * meaning.bytes.length;
    case 'encoded':
      return endings === 'apart'
        ? measure(meaning.tree, endings)
        : STATE * (meaning.automaton.states + 1) + TRANSITION * meaning.automaton.transitions;
    case 'look':
      return STATE;
    case 'capture':
      return 2 * STATE + measure(meaning.body, endings);
    case 'sequence':
      return meaning.parts.length === 0 ? STATE : sum(meaning.parts, endings);
    case 'choice':
      return 2 * STATE + BRANCH * meaning.parts.length + sum(meaning.parts, endings);
    case 'repeat':
      return repeatSize(meaning, endings);
    default:
      return meaning satisfies never;
  }
}

/** Returns roughly the number of states of a meaning, which bounds the work for each byte of a subject. */
export function stateCount(meaning: Meaning): number {
  return Math.ceil(measure(meaning, 'apart') / STATE);
}

function repeatSize({ body, min, max }: MeaningRepeat, endings: Endings): number {
  const once = measure(body, endings);
  if (max === undefined) {
    return min === 0 && isNullable(body) ? once + 2 * SPLIT + STATE : Math.max(1, min) * once + SPLIT;
  }
  const optional = max === min ? 0 : STATE + (max - min) * (once + SPLIT);
  return (min === 0 ? STATE : min * once) + optional;
}

function sum(parts: readonly Meaning[], endings: Endings): number {
  return parts.reduce((total, part) => total + measure(part, endings), 0);
}
