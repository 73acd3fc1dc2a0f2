import { RE2JS } from 're2js';
import { decodeBytes } from '../values/bytes.ts';
import { emitPattern } from './emit.ts';
import type { Captures } from './emit.ts';
import { compileLiteral, literalOf } from './literal.ts';
import type { AnchoredLiteral } from './literal.ts';
import type { Meaning } from './meaning.ts';
import { compilePrefilter } from './prefilter.ts';
import { readPattern } from './read.ts';
import { resolvePattern } from './resolve.ts';
import { sampleOf } from './sample.ts';
import { stateCount } from './size.ts';

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
