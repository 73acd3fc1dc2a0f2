import type { Intervals } from './intervals.ts';
import type { Assertion, Meaning, MeaningRepeat } from './regex-meaning.ts';

/** A pattern in the syntax of re2js, to be matched against a binary string. */
export interface Emitted {
  readonly source: string;
  /** Whether it needs the look-behind extension of re2js. */
  readonly lookbehind: boolean;
}

/** What becomes of groups: captures keep their numbers for replacements, or all are dropped. */
export type Captures = 'keep' | 'drop';

interface EmittedPattern {
  readonly source: string;
  /** The largest product of nested counts. */
  readonly repeats: number;
  readonly lookbehind: boolean;
  readonly captures: boolean;
}

/** The largest product of nested counts that re2js takes. */
const REPEAT_LIMIT = 1000;

// re2js has no look-ahead: whether a word character follows is derived from the boundary and from what stands before it.
const LOOKS: Readonly<Record<Assertion, string>> = {
  start: '\\A',
  end: '\\z',
  'line-start': '(?m:^)',
  'line-end': '(?m:$)',
  boundary: '\\b',
  'no-boundary': '\\B',
  'word-start': '\\b(?<!\\w)',
  'word-end': '\\b(?<=\\w)',
  'word-start-half': '(?<!\\w)',
  'word-end-half': '(?:\\b(?<=\\w)|\\B(?<!\\w))',
};

/**
 * Writes a meaning in the syntax of re2js, spelling out every construct: sets as ranges of bytes, counts in portions that re2js accepts.
 * Undefined when captures are to be kept but stand in a count that must be written several times.
 */
export function emitPattern(meaning: Meaning, captures: Captures): Emitted | undefined {
  const part = emit(meaning, captures);
  return part === undefined ? undefined : { source: part.source, lookbehind: part.lookbehind };
}

function emit(meaning: Meaning, captures: Captures): EmittedPattern | undefined {
  switch (meaning.kind) {
    case 'bytes':
      return plain(Array.from(meaning.text, (character) => escapeByte(character.charCodeAt(0))).join(''));
    case 'set':
      return plain(emitSet(meaning.bytes));
    case 'encoded':
      return emit(meaning.tree, captures);
    case 'look':
      return { ...plain(LOOKS[meaning.look]), lookbehind: LOOKS[meaning.look].includes('(?<') };
    case 'capture': {
      const body = emit(meaning.body, captures);
      return body === undefined || captures === 'drop'
        ? body
        : { ...body, source: `(${body.source})`, captures: true };
    }
    case 'sequence':
      return join(meaning.parts, { captures, separator: '' });
    case 'choice': {
      const joined = join(meaning.parts, { captures, separator: '|' });
      return joined === undefined ? undefined : { ...joined, source: group(joined.source) };
    }
    case 'repeat':
      return emitRepeat(meaning, captures);
    default:
      return meaning satisfies never;
  }
}

function plain(source: string): EmittedPattern {
  return { source, repeats: 1, lookbehind: false, captures: false };
}

function group(source: string): string {
  return `(?:${source})`;
}

function join(
  parts: readonly Meaning[],
  { captures, separator }: { readonly captures: Captures; readonly separator: string },
): EmittedPattern | undefined {
  const written: EmittedPattern[] = [];
  for (const meaning of parts) {
    const part = emit(meaning, captures);
    if (part === undefined) {
      return undefined;
    }
    written.push(part);
  }
  return {
    // A choice of nothing never matches.
    source:
      parts.length === 0 && separator === '|'
        ? emitSet([])
        : written.map((part) => part.source).join(separator),
    repeats: Math.max(1, ...written.map((part) => part.repeats)),
    lookbehind: written.some((part) => part.lookbehind),
    captures: written.some((part) => part.captures),
  };
}

function emitRepeat(
  { body, min, max, greedy }: MeaningRepeat,
  captures: Captures,
): EmittedPattern | undefined {
  const part = emit(body, captures);
  if (part === undefined) {
    return undefined;
  }
  const atom = group(part.source);
  const lazy = greedy ? '' : '?';
  const unit = Math.max(1, Math.floor(REPEAT_LIMIT / part.repeats));
  const largest = max ?? min;
  if (largest <= unit) {
    const source = `${atom}${countOf(min, max)}${lazy}`;
    return { ...part, source, repeats: part.repeats * Math.max(1, largest) };
  }
  if (part.captures) {
    return undefined;
  }
  const copies = portions(atom, { count: min, unit, from: 'count', lazy: '' });
  const rest =
    max === undefined ? [`${atom}*${lazy}`] : portions(atom, { count: max - min, unit, from: 'zero', lazy });
  return { ...part, source: group([...copies, ...rest].join('')), repeats: part.repeats * unit };
}

function countOf(min: number, max: number | undefined): string {
  if (max === undefined) {
    return min > 1 ? `{${min},}` : min === 0 ? '*' : '+';
  }
  return min === max ? `{${min}}` : `{${min},${max}}`;
}

interface Portioning {
  readonly count: number;
  readonly unit: number;
  readonly from: 'zero' | 'count';
  readonly lazy: string;
}

/** Returns `count` copies of an atom, all required or all optional, in portions of at most `unit`. */
function portions(atom: string, { count, unit, from, lazy }: Portioning): readonly string[] {
  const sizes = [...Array<number>(Math.floor(count / unit)).fill(unit), count % unit].filter(
    (size) => size > 0,
  );
  return sizes.map((size) => {
    if (from === 'zero') {
      return size === 1 ? `${atom}?${lazy}` : `${atom}{0,${size}}${lazy}`;
    }
    return size === 1 ? atom : `${atom}{${size}}`;
  });
}

function emitSet(set: Intervals): string {
  if (set.length === 0) {
    return '[^\\x{0}-\\x{10ffff}]';
  }
  const ranges = set.map(([first, last]) =>
    first === last ? escapeByte(first) : `${escapeByte(first)}-${escapeByte(last)}`,
  );
  return `[${ranges.join('')}]`;
}

function escapeByte(byte: number): string {
  const character = String.fromCharCode(byte);
  return /^[0-9A-Za-z]$/u.test(character) ? character : `\\x{${byte.toString(16)}}`;
}
