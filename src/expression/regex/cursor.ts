import type { PatternProblem } from './problem.ts';
import type { PatternSpan } from './regex-syntax.ts';

/** The state of the reader of a pattern. A reading function that refuses the pattern returns undefined and leaves the reason in `problem`. */
export interface Cursor {
  /** The pattern, one code point per element. */
  readonly text: readonly string[];
  at: number;
  /** Whether the flag `x` is on: spaces and comments are skipped. */
  verbose: boolean;
  /** Names of groups and where they stand. */
  readonly names: Map<string, PatternSpan>;
  problem: PatternProblem | undefined;
}

// White_Space of Unicode, which the regex crate skips; the `\s` of JavaScript differs in U+0085 and U+FEFF.
const WHITE_SPACE = /^[\t-\r \u0085\u00a0\u1680\u2000-\u200a\u2028\u2029\u202f\u205f\u3000]$/u;

/** Returns a cursor at the start of a pattern. */
export function openPattern(pattern: string): Cursor {
  return {
    text: Array.from(pattern),
    at: 0,
    verbose: false,
    names: new Map(),
    problem: undefined,
  };
}

/** Whether the cursor is at the end of the pattern. */
export function atEnd(cursor: Cursor): boolean {
  return cursor.at >= cursor.text.length;
}

/** Returns the character at the cursor; the empty string at the end. */
export function current(cursor: Cursor): string {
  return cursor.text[cursor.at] ?? '';
}

/** Moves one character on; returns whether a character is left. */
export function advance(cursor: Cursor): boolean {
  cursor.at = Math.min(cursor.at + 1, cursor.text.length);
  return !atEnd(cursor);
}

/** Moves past a word if it stands here; returns whether it did. */
export function advanceOver(cursor: Cursor, word: string): boolean {
  if (cursor.text.slice(cursor.at, cursor.at + word.length).join('') !== word) {
    return false;
  }
  cursor.at += word.length;
  return true;
}

/** Moves one character on, then past spaces and comments in verbose mode; returns whether a character is left. */
export function advanceAndSkip(cursor: Cursor): boolean {
  if (!advance(cursor)) {
    return false;
  }
  skipSpace(cursor);
  return !atEnd(cursor);
}

/** Moves past spaces and comments in verbose mode. */
export function skipSpace(cursor: Cursor): void {
  while (cursor.verbose && !atEnd(cursor)) {
    if (current(cursor) === '#') {
      while (!atEnd(cursor) && current(cursor) !== '\n') {
        advance(cursor);
      }
      advance(cursor);
    } else if (isSpace(current(cursor))) {
      advance(cursor);
    } else {
      return;
    }
  }
}

/** Returns the character after the one at the cursor. */
export function peek(cursor: Cursor): string {
  return cursor.text[cursor.at + 1] ?? '';
}

/**
 * Returns the character after the one at the cursor; in verbose mode the first that is not a space. The regex crate looks at the first
 * character of a comment instead of skipping it, and so does this.
 */
export function peekOverSpace(cursor: Cursor): string {
  if (!cursor.verbose || atEnd(cursor)) {
    return peek(cursor);
  }
  let commented = false;
  for (let at = cursor.at + 1; at < cursor.text.length; at += 1) {
    const character = cursor.text[at] ?? '';
    if (isSpace(character)) {
      continue;
    }
    if (commented || character !== '#') {
      return character;
    }
    commented = true;
  }
  return peek(cursor);
}

/** Whether a character is white space to the regex crate. */
export function isSpace(character: string): boolean {
  return WHITE_SPACE.test(character);
}

/** Returns the span from an offset to the cursor. */
export function spanFrom(cursor: Cursor, start: number): PatternSpan {
  return { start, end: cursor.at };
}

/** Returns the span of the character at the cursor. */
export function spanHere(cursor: Cursor): PatternSpan {
  return { start: cursor.at, end: cursor.at + 1 };
}

/** Records why the pattern is refused and returns undefined. */
export function refuse(
  cursor: Cursor,
  message: string,
  place: { readonly span: PatternSpan; readonly original?: PatternSpan | undefined },
): undefined {
  const { span, original } = place;
  cursor.problem = original === undefined ? { message, span } : { message, span, original };
  return undefined;
}
