import { lowerAscii, intern } from './bytes.ts';

/** A wildcard pattern as the literal runs between its stars: n stars stand between n + 1 runs (rules-language.md 2.6). */
export interface Wildcard {
  readonly runs: readonly string[];
}

/** The pattern, or the service's message for the ParseWildcard error. */
export type WildcardResult =
  | { readonly ok: true; readonly pattern: Wildcard }
  | { readonly ok: false; readonly message: string };

/** How letters are compared: `fold` ignores ASCII case (`wildcard`), `exact` does not (`strict wildcard`). */
export type WildcardCase = 'fold' | 'exact';

/**
 * Reads a wildcard pattern given as a binary string: `*` is a star, `\*` and `\\` are the only escapes, two stars in a row are refused
 * (rules-language.md 2.6). `starLimit` is a setting of the host, unlimited by default. Syntax errors are reported before an exceeded limit,
 * and that before double stars.
 */
export function parseWildcard(pattern: string, starLimit: number = Number.POSITIVE_INFINITY): WildcardResult {
  const runs: string[] = [];
  let run = '';
  for (let position = 0; position < pattern.length; position += 1) {
    const character = pattern.charAt(position);
    if (character === '*') {
      runs.push(run);
      run = '';
    } else if (character === '\\') {
      const problem = escapeProblem(pattern.charAt(position + 1));
      if (problem !== undefined) {
        return {
          ok: false,
          message: `invalid wildcard: wildcard syntax error at position ${position}: ${problem}`,
        };
      }
      position += 1;
      run += pattern.charAt(position);
    } else {
      run += character;
    }
  }
  runs.push(run);
  if (runs.length - 1 > starLimit) {
    const message = `wildcard has ${runs.length - 1} star metacharacters, but the limit is ${starLimit}`;
    return { ok: false, message };
  }
  // Two stars in a row have an empty run between them; the first and the last run may be empty.
  if (runs.slice(1, -1).includes('')) {
    return { ok: false, message: 'wildcard contains a double star' };
  }
  return { ok: true, pattern: { runs } };
}

/**
 * Returns a predicate for whether the pattern covers a whole binary string. Each run is searched for once, from left to right, so that the
 * work is bounded by the length of the subject times the length of the pattern.
 */
export function compileWildcard(pattern: Wildcard, letters: WildcardCase): (subject: string) => boolean {
  const runs = foldRuns(pattern, letters);
  const [first = ''] = runs;
  if (runs.length === 1) {
    return letters === 'exact'
      ? (subject) => subject === first
      : (subject) => subject.length === first.length && lowerAscii(subject) === first;
  }
  const middle = runs.slice(1, -1);
  const last = runs.at(-1) ?? '';
  return (given) => {
    // Compares the start first, so that the rest of the subject is folded only if its start fits.
    if (letters === 'fold' && lowerAscii(given.slice(0, first.length)) !== first) {
      return false;
    }
    const subject = letters === 'exact' ? given : lowerAscii(given);
    if (!subject.startsWith(first)) {
      return false;
    }
    let position = first.length;
    for (const run of middle) {
      const found = subject.indexOf(run, position);
      if (found === -1) {
        return false;
      }
      position = found + run.length;
    }
    return subject.length - last.length >= position && subject.endsWith(last);
  };
}

/**
 * Returns a function that gives what each star stands for when the pattern covers a whole subject, each as short as the stars before it
 * allow (rules-language.md 2.6); undefined when it does not. The captured bytes keep their case.
 */
export function compileCapture(
  pattern: Wildcard,
  letters: WildcardCase,
): (subject: string) => readonly string[] | undefined {
  const covers = compileWildcard(pattern, letters);
  const [first = '', ...rest] = foldRuns(pattern, letters);
  return (subject) => {
    if (!covers(subject)) {
      return undefined;
    }
    const searched = letters === 'exact' ? subject : lowerAscii(subject);
    const captures: string[] = [];
    let position = first.length;
    for (const [index, run] of rest.entries()) {
      const found = index === rest.length - 1 ? subject.length - run.length : searched.indexOf(run, position);
      captures.push(subject.slice(position, found));
      position = found + run.length;
    }
    return captures;
  };
}

function foldRuns(pattern: Wildcard, letters: WildcardCase): readonly string[] {
  return pattern.runs.map((run) => intern(letters === 'exact' ? run : lowerAscii(run)));
}

function escapeProblem(next: string): string | undefined {
  if (next === '') {
    return 'incomplete escape sequence at the end of the wildcard';
  }
  return next === '*' || next === '\\' ? undefined : 'invalid escape sequence';
}
