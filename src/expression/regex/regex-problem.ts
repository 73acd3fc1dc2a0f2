import { decodeBytes } from '../values/bytes.ts';
import { isNullable } from './regex-meaning.ts';
import type { Meaning, MeaningRepeat } from './regex-meaning.ts';
import { readPattern } from './read-regex.ts';
import { resolvePattern } from './resolve.ts';

/** The engine's default limit on the size of a compiled pattern in bytes: 10 MiB (rules-language.md 2.5). */
export const DEFAULT_COMPILED_SIZE = 10_485_760;

/**
 * Returns the message with which the service's engine refuses a pattern given as a binary string; undefined when it accepts the pattern
 * (rules-language.md 2.5). The compiled size is computed as in the engine, but without its optimisations: within a factor of two of the
 * limit the answer may differ from the engine's.
 */
export function regexProblem(pattern: string, largestSize = DEFAULT_COMPILED_SIZE): string | undefined {
  const text = decodeBytes(pattern);
  if (text === undefined) {
    // A message of our own: the service's is not known.
    return 'a regular expression must be valid UTF-8';
  }
  const read = readPattern(text);
  if (!read.ok) {
    return read.message;
  }
  const resolved = resolvePattern(read);
  if (resolved.kind === 'refused') {
    return resolved.message;
  }
  return resolved.kind === 'meaning' && compiledSize(resolved.meaning) > largestSize
    ? `Compiled regex exceeds size limit of ${largestSize} bytes.`
    : undefined;
}

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
function compiledSize(meaning: Meaning): number {
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
