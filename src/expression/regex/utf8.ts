import { encodeBytes } from '../values/bytes.ts';
import { intersect } from './intervals.ts';
import type { Intervals } from './intervals.ts';
import type { Meaning } from './regex-meaning.ts';

/** The last code point. */
export const LAST_CODE_POINT = 0x10_ff_ff;

// Code points by the length of their encoding; surrogates have no encoding.
const BY_LENGTH: readonly ByteRange[] = [
  [0x00, 0x7f],
  [0x80, 0x7_ff],
  [0x8_00, 0xd7_ff],
  [0xe0_00, 0xff_ff],
  [0x1_00_00, LAST_CODE_POINT],
];

type ByteRange = readonly [number, number];

/** Returns the UTF-8 encodings of a set of code points. */
export function encodeSet(codePoints: Intervals): Meaning {
  const sequences = BY_LENGTH.flatMap((length) => intersect(codePoints, [length]))
    .flatMap(([first, last]) => splitRange(first, last))
    .map(([first, last]) => byteRanges(first, last));
  const states = new Map<string, number>();
  const { meaning } = join(sequences, states);
  if (meaning.kind === 'set') {
    return meaning;
  }
  const transitions = [...states.values()].reduce((sum, count) => sum + count, 0);
  return { kind: 'encoded', tree: meaning, automaton: { states: states.size, transitions } };
}

interface Joined {
  readonly meaning: Meaning;
  /** The meaning as a text; parts with equal texts can share a state of the automaton. */
  readonly text: string;
}

/**
 * Returns the choice of some sequences, with common beginnings joined. Collects in `states` the states of an automaton that shares equal
 * endings, as the engine builds it, with the number of their transitions.
 */
function join(sequences: readonly (readonly ByteRange[])[], states: Map<string, number>): Joined {
  const branches = new Map<string, { readonly head: ByteRange; readonly tails: (readonly ByteRange[])[] }>();
  for (const [head, ...tail] of sequences) {
    if (head !== undefined) {
      const branch = branches.get(head.join('-')) ?? { head, tails: [] };
      branch.tails.push(tail);
      branches.set(head.join('-'), branch);
    }
  }
  const last: ByteRange[] = [];
  const parts: Meaning[] = [];
  const texts: string[] = [];
  for (const [written, { head, tails }] of branches) {
    if (tails.some((tail) => tail.length > 0)) {
      const rest = join(tails, states);
      parts.push({ kind: 'sequence', parts: [{ kind: 'set', bytes: [head] }, rest.meaning] });
      texts.push(`${written}(${rest.text})`);
    } else {
      last.push(head);
      texts.push(written);
    }
  }
  const text = texts.join('|');
  states.set(text, branches.size);
  const end: Meaning = { kind: 'set', bytes: last };
  return {
    meaning:
      parts.length === 0 ? end : { kind: 'choice', parts: last.length === 0 ? parts : [end, ...parts] },
    text,
  };
}

/** Splits a range of code points of one encoded length so that in each part every byte of the encoding covers its own range. */
function splitRange(first: number, last: number): readonly ByteRange[] {
  for (let bits = 6; bits <= 18; bits += 6) {
    const mask = 2 ** bits - 1;
    if (Math.floor(first / 2 ** bits) === Math.floor(last / 2 ** bits)) {
      break;
    }
    if ((first & mask) !== 0) {
      return [...splitRange(first, first | mask), ...splitRange((first | mask) + 1, last)];
    }
    if ((last & mask) !== mask) {
      return [...splitRange(first, (last & ~mask) - 1), ...splitRange(last & ~mask, last)];
    }
  }
  return [[first, last]];
}

function byteRanges(first: number, last: number): readonly ByteRange[] {
  const from = encodeBytes(String.fromCodePoint(first));
  const to = encodeBytes(String.fromCodePoint(last));
  return Array.from(from, (_, index): ByteRange => [from.charCodeAt(index), to.charCodeAt(index)]);
}
