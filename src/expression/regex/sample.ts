import { intersect } from './intervals.ts';
import type { Intervals } from './intervals.ts';
import type { Meaning } from './meaning.ts';

/** How a sample is chosen where a pattern leaves the choice. */
interface Preference {
  /** Whether parts that may be absent are there. */
  readonly optional: 'once' | 'absent';
  readonly branch: 'first' | 'last';
  /** Sets of bytes, the most preferred first. */
  readonly bytes: readonly Intervals[];
}

const LETTERS: Intervals = [[0x61, 0x7a]];
const DIGITS: Intervals = [[0x30, 0x39]];
const SPACE: Intervals = [[0x20, 0x20]];
const VISIBLE: Intervals = [[0x21, 0x7e]];
const ALL: Intervals = [[0x00, 0xff]];

const FULL: Preference = { optional: 'once', branch: 'first', bytes: [LETTERS, DIGITS, VISIBLE, ALL] };

/** The preferences to try in turn: what a look forbids at one choice, another may have, as `foo\b.*` without a letter behind it. */
const PREFERENCES: readonly Preference[] = [
  FULL,
  { ...FULL, optional: 'absent' },
  { ...FULL, bytes: [SPACE, VISIBLE, ALL] },
  { ...FULL, branch: 'last' },
  { ...FULL, optional: 'absent', branch: 'last' },
];

/** Returns a text that a predicate made from the meaning accepts; undefined if none is found, which only looks and empty sets can cause. */
export function sampleOf(meaning: Meaning, matches: (subject: string) => boolean): string | undefined {
  for (const preference of PREFERENCES) {
    const sample = preferred(meaning, preference);
    if (sample !== undefined && matches(sample)) {
      return sample;
    }
  }
  return undefined;
}

/** Returns a text that the meaning matches if all its looks hold; undefined for a set without bytes. */
function preferred(meaning: Meaning, preference: Preference): string | undefined {
  switch (meaning.kind) {
    case 'bytes':
      return meaning.text;
    case 'set':
      return byteOf(meaning.bytes, preference);
    case 'encoded':
      return preferred(meaning.tree, preference);
    case 'look':
      return '';
    case 'capture':
      return preferred(meaning.body, preference);
    case 'sequence': {
      const parts = meaning.parts.map((part) => preferred(part, preference));
      return parts.includes(undefined) ? undefined : parts.join('');
    }
    case 'choice': {
      const branches = meaning.parts
        .map((part) => preferred(part, preference))
        .filter((text) => text !== undefined);
      return branches.at(preference.branch === 'first' ? 0 : -1);
    }
    case 'repeat': {
      const { min, max = 1 } = meaning;
      const body = preferred(meaning.body, preference);
      if (min === 0) {
        return preference.optional === 'once' && max > 0 ? (body ?? '') : '';
      }
      return body?.repeat(min);
    }
    default:
      return meaning satisfies never;
  }
}

function byteOf(bytes: Intervals, preference: Preference): string | undefined {
  const [range] = preference.bytes.flatMap((set) => intersect(set, bytes));
  return range && String.fromCharCode(range[0]);
}
