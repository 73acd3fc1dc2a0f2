import { RE2JS } from 're2js';
import { decodeBytes, intern } from '../values/bytes.ts';
import { emitPattern } from './emit.ts';
import type { Captures } from './emit.ts';
import { compileLiteral, literalOf, partsInSequence } from './regex-literal.ts';
import type { AnchoredLiteral } from './regex-literal.ts';
import type { Meaning } from './regex-meaning.ts';
import { readPattern } from './read-regex.ts';
import { resolvePattern } from './resolve.ts';
import { stateCount } from './regex-problem.ts';
import { intersect, unite } from './intervals.ts';
import type { Intervals } from './intervals.ts';

/** A predicate that holds for every subject that a pattern matches, and for as few others as a cheap test allows. */
type Prefilter = (subject: string) => boolean;

/** The number of positions tested: one for each bit of a byte. */
const POSITIONS = 8;
/** The least length of a literal; a shorter one is in too many subjects to be worth searching for. */
const SHORTEST_LITERAL = 3;

/**
 * Compiles what must hold for a pattern to match: the first bytes, when the pattern is anchored at the start, and the longest literal that
 * every match contains. This decides for most subjects without running the engine.
 */
function compilePrefilter(meaning: Meaning): Prefilter {
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
interface MatchPrefix {
  readonly bytes: readonly Intervals[];
  /** Whether every match has exactly this length, so that the position of what follows is known. */
  readonly complete: boolean;
}

const NOTHING: MatchPrefix = { bytes: [], complete: true };
const UNKNOWN: MatchPrefix = { bytes: [], complete: false };

function openingOf(parts: readonly Meaning[]): MatchPrefix {
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

function openingOfPart(part: Meaning): MatchPrefix {
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

function either(left: MatchPrefix | undefined, right: MatchPrefix): MatchPrefix {
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
function sampleOf(meaning: Meaning, matches: (subject: string) => boolean): string | undefined {
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

/** A predicate over binary strings, or why the pattern cannot be run here, which does not mean that the service refuses it. */
export type CompiledRegex =
  | { readonly ok: true; readonly matches: (subject: string) => boolean }
  | { readonly ok: false; readonly reason: string };

/** Finds the first match in a binary string; undefined when there is none. */
type FindRegex = (subject: string) => RegexMatch | undefined;

/** A match: its offsets in the subject, and the groups from 1 on (undefined for an unused group). */
interface RegexMatch {
  readonly start: number;
  readonly end: number;
  readonly groups: readonly (string | undefined)[];
}

/** A search, or why the pattern cannot be run here. */
export type CompiledSearch =
  | { readonly ok: true; readonly find: FindRegex }
  | { readonly ok: false; readonly reason: string };

/**
 * The maximum number of automaton states that we run; it bounds the work for each byte of a subject. The service's limit on the compiled
 * size allows about eight times as many.
 */
const STATE_LIMIT = 40_000;

/**
 * Compiles a pattern (a binary string) to a predicate with the service's meaning: unanchored, over bytes (rules-language.md 2.5). The time
 * of a match is linear in the subject. A pattern whose meaning we cannot give is refused with the reason, never run with another meaning.
 */
export function compileRegex(pattern: string): CompiledRegex {
  const understood = understand(pattern);
  if (!understood.ok) {
    return understood;
  }
  const literal = compileLiteral(understood.meaning);
  if (literal !== undefined) {
    return { ok: true, matches: literal };
  }
  const compiled = build(understood.meaning, 'drop');
  if (!compiled.ok) {
    return compiled;
  }
  const { re } = compiled;
  const mayMatch = compilePrefilter(understood.meaning);
  return { ok: true, matches: (subject) => mayMatch(subject) && re.test(subject) };
}

/**
 * Returns the literal that a pattern (a binary string) searches for; undefined for a pattern that is more than a literal, or that we cannot
 * run.
 */
export function literalOfPattern(pattern: string): AnchoredLiteral | undefined {
  const understood = understand(pattern);
  return understood.ok ? literalOf(understood.meaning) : undefined;
}

/**
 * Returns a text (a binary string) that a pattern (another) matches, with one of each part that may be absent or repeated if that matches;
 * undefined for a pattern that we cannot run, or where no such text is found.
 */
export function sampleOfPattern(pattern: string): string | undefined {
  const understood = understand(pattern);
  const compiled = compileRegex(pattern);
  return understood.ok && compiled.ok ? sampleOf(understood.meaning, compiled.matches) : undefined;
}

/** Compiles a pattern (a binary string) to a search that also returns what each group matched; otherwise like `compileRegex`. */
export function compileSearch(pattern: string): CompiledSearch {
  const understood = understand(pattern);
  if (!understood.ok) {
    return understood;
  }
  const compiled = build(understood.meaning, 'keep');
  return compiled.ok ? { ok: true, find: (subject) => findFirst(compiled.re, subject) } : compiled;
}

function understand(
  pattern: string,
): { readonly ok: true; readonly meaning: Meaning } | { readonly ok: false; readonly reason: string } {
  const text = decodeBytes(pattern);
  if (text === undefined) {
    return { ok: false, reason: 'the pattern is not valid UTF-8' };
  }
  const read = readPattern(text);
  if (!read.ok) {
    return { ok: false, reason: read.message };
  }
  const resolved = resolvePattern(read);
  if (resolved.kind !== 'meaning') {
    const reason = resolved.kind === 'refused' ? resolved.message : `not supported here: ${resolved.part}`;
    return { ok: false, reason };
  }
  const states = stateCount(resolved.meaning);
  return states > STATE_LIMIT
    ? { ok: false, reason: `too large to run here: about ${states} states, the limit is ${STATE_LIMIT}` }
    : { ok: true, meaning: resolved.meaning };
}

function build(
  meaning: Meaning,
  captures: Captures,
): { readonly ok: true; readonly re: RE2JS } | { readonly ok: false; readonly reason: string } {
  const emitted = emitPattern(meaning, captures);
  if (emitted === undefined) {
    return { ok: false, reason: 'not supported here: a group inside a count above 1000' };
  }
  try {
    return { ok: true, re: RE2JS.compile(emitted.source, emitted.lookbehind ? RE2JS.LOOKBEHINDS : 0) };
  } catch (error) {
    return {
      ok: false,
      reason: `not supported here: ${error instanceof Error ? error.message : String(error)}`,
    };
  }
}

function findFirst(re: RE2JS, subject: string): RegexMatch | undefined {
  const matcher = re.matcher(subject);
  if (!matcher.find()) {
    return undefined;
  }
  const groups = Array.from(
    { length: matcher.groupCount() },
    (_, index) => matcher.group(index + 1) ?? undefined,
  );
  return { start: matcher.start(), end: matcher.end(), groups };
}
