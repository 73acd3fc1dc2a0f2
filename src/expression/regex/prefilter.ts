import { intern } from '../values/intern.ts';
import { unite } from './intervals.ts';
import type { Intervals } from './intervals.ts';
import { partsInSequence } from './literal.ts';
import type { Meaning } from './meaning.ts';

/** A predicate that holds for every subject that a pattern matches, and for as few others as a cheap test allows. */
export type Prefilter = (subject: string) => boolean;

/** The number of positions tested: one for each bit of a byte. */
const POSITIONS = 8;
/** The least length of a literal; a shorter one is in too many subjects to be worth searching for. */
const SHORTEST_LITERAL = 3;

/**
 * Compiles what must hold for a pattern to match: the first bytes, when the pattern is anchored at the start, and the longest literal that
 * every match contains. This decides for most subjects without running the engine.
 */
export function compilePrefilter(meaning: Meaning): Prefilter {
  const parts = partsInSequence(meaning);
  const [first, ...rest] = parts;
  const starts =
    first?.kind === 'look' && first.look === 'start' ? compileStart(openingOf(rest).bytes) : undefined;
  const literal = longestLiteral(parts);
  if (literal.length < SHORTEST_LITERAL) {
    return starts ?? (() => true);
  }
  const required = intern(literal);
  return starts === undefined
    ? (subject) => subject.includes(required)
    : (subject) => starts(subject) && subject.includes(required);
}

function longestLiteral(parts: readonly Meaning[]): string {
  let longest = '';
  let run = '';
  for (const part of parts) {
    run = part.kind === 'bytes' ? run + part.text : '';
    longest = run.length > longest.length ? run : longest;
  }
  return longest;
}

/** The bytes that a match can begin with, position by position. */
interface Opening {
  readonly bytes: readonly Intervals[];
  /** Whether every match has exactly this length, so that the position of what follows is known. */
  readonly complete: boolean;
}

const NOTHING: Opening = { bytes: [], complete: true };
const UNKNOWN: Opening = { bytes: [], complete: false };

function openingOf(parts: readonly Meaning[]): Opening {
  let opening = NOTHING;
  for (const part of parts) {
    const next = openingOfPart(part);
    const bytes = [...opening.bytes, ...next.bytes];
    opening = { bytes: bytes.slice(0, POSITIONS), complete: next.complete && bytes.length <= POSITIONS };
    if (!opening.complete) {
      break;
    }
  }
  return opening;
}

function openingOfPart(part: Meaning): Opening {
  switch (part.kind) {
    case 'bytes':
      return {
        bytes: Array.from(part.text.slice(0, POSITIONS), (byte) => [
          [byte.charCodeAt(0), byte.charCodeAt(0)],
        ]),
        complete: part.text.length <= POSITIONS,
      };
    case 'set':
      return { bytes: [part.bytes], complete: true };
    case 'encoded':
      return openingOfPart(part.tree);
    case 'look':
      return NOTHING;
    case 'capture':
      return openingOfPart(part.body);
    case 'sequence':
      return openingOf(part.parts);
    case 'choice':
      return part.parts.map(openingOfPart).reduce(either, undefined) ?? UNKNOWN;
    case 'repeat':
      return part.min === 0 ? UNKNOWN : { ...openingOfPart(part.body), complete: false };
    default:
      return part satisfies never;
  }
}

function either(left: Opening | undefined, right: Opening): Opening {
  if (left === undefined) {
    return right;
  }
  const common = Math.min(left.bytes.length, right.bytes.length);
  return {
    bytes: left.bytes.slice(0, common).map((bytes, position) => unite(bytes, right.bytes[position] ?? [])),
    complete: left.complete && right.complete && left.bytes.length === right.bytes.length,
  };
}

/** Compiles the opening to a table with one bit per position: whether a byte may stand there. */
function compileStart(opening: readonly Intervals[]): Prefilter | undefined {
  const { length } = opening;
  if (length === 0) {
    return undefined;
  }
  const allowed = new Uint8Array(256);
  for (const [position, bytes] of opening.entries()) {
    for (const [from, to] of bytes) {
      for (let byte = from; byte <= to; byte += 1) {
        allowed[byte] = (allowed[byte] ?? 0) | (1 << position);
      }
    }
  }
  return (subject) => {
    if (subject.length < length) {
      return false;
    }
    for (let position = 0; position < length; position += 1) {
      if (((allowed[subject.charCodeAt(position)] ?? 0) & (1 << position)) === 0) {
        return false;
      }
    }
    return true;
  };
}
