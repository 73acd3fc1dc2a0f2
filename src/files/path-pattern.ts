import { posix } from 'node:path';
import picomatch from 'picomatch';

/** How to compare names with patterns. */
export interface Matching {
  /** Whether `*` also matches names that begin with a dot. */
  readonly hidden?: boolean;
  /** Whether upper and lower case match each other. */
  readonly anyCase?: boolean;
}

/** Whether a text matches names other than itself. */
export function isPattern(text: string): boolean {
  const { isGlob, negated } = picomatch.scan(text);
  return isGlob || negated;
}

/** Maximum number of patterns that the braces of one pattern may stand for. */
export const MAX_SPELLINGS = 250;

/**
 * Expands a pattern so that each `/` separates two parts of a path: spells out brace alternatives that contain a `/`, and removes parts without
 * meaning, such as `./`. Stops expanding at more than `MAX_SPELLINGS` patterns.
 */
export function spellOut(pattern: string): readonly string[] {
  let spelled: readonly string[] = [pattern];
  for (let count = 0; count < spelled.length && spelled.length <= MAX_SPELLINGS;) {
    count = spelled.length;
    spelled = spelled.flatMap(spellOutFirst);
  }
  return spelled.map((one) => posix.normalize(one).replace(/\/$/u, ''));
}

/** Expands the first braces with a `/` in an alternative. */
function spellOutFirst(pattern: string): readonly string[] {
  let depth = 0;
  let marks: number[] = [];
  for (const { index, 0: sign } of pattern.matchAll(/(?<!\\)[{,}]/gu)) {
    depth += sign === '{' ? 1 : sign === '}' && depth > 0 ? -1 : 0;
    if (sign === '{' && depth === 1) {
      marks = [index];
    } else if (sign === ',' && depth === 1) {
      marks.push(index);
    } else if (sign === '}' && depth === 0 && marks.length > 1) {
      const start = marks[0];
      if (pattern.slice(start, index).includes('/')) {
        const ends = [...marks.slice(1), index];
        return ends.map(
          (end, at) =>
            pattern.slice(0, start) + pattern.slice((marks[at] ?? 0) + 1, end) + pattern.slice(index + 1),
        );
      }
      marks = [];
    }
  }
  return [pattern];
}

/**
 * Advances expanded patterns along a path by one name: from the patterns that may match the rest of the path to those that may match what follows the
 * name, `''` where the path may end there. A pattern has at most as many rests as parts, however deep the path.
 */
export type PatternWalk = (rests: readonly string[], name: string) => readonly string[];

/** A part that may match names beginning with a dot: one that has a dot at the beginning. picomatch would also accept `[!a]`. */
const NAMES_HIDDEN = /(?:^|[{,(|])\\?\./u;

/** Creates a walk along patterns that compiles each part only once. */
export function createPatternWalk({ hidden = false, anyCase = false }: Matching): PatternWalk {
  const options = { dot: hidden, nocase: anyCase, nonegate: true, posix: true };
  const read = new Map<string, (name: string) => boolean>();
  const matches = (part: string, name: string): boolean => {
    const matcher = read.get(part) ?? (part === '' ? () => false : picomatch(part, options));
    read.set(part, matcher);
    return (hidden || !name.startsWith('.') || NAMES_HIDDEN.test(part)) && matcher(name);
  };
  const after = (pattern: string, name: string): readonly string[] => {
    const [part = '', ...more] = pattern.split('/');
    const rest = more.join('/');
    if (part !== '**') {
      return matches(part, name) ? [rest] : [];
    }
    // `**` matches no name, or one name and then any number again.
    const again = matches('*', name) ? [pattern] : [];
    return [...again, ...after(rest === '' ? '*' : rest, name)];
  };
  return (rests, name) => [...new Set(rests.flatMap((rest) => after(rest, name)))];
}

/** Whether one of the patterns matches a path relative to their folder; nothing need exist there. */
export function isNamedBy(patterns: readonly string[], path: string): boolean {
  const walk = createPatternWalk({});
  const start: readonly string[] = patterns.flatMap((pattern) => spellOut(pattern));
  return path
    .split('/')
    .reduce((rests, name) => walk(rests, name), start)
    .includes('');
}
