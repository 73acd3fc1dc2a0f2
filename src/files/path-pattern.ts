import { posix } from 'node:path';
import picomatch from 'picomatch';

/** How names are compared with patterns. */
export interface Matching {
  /** Whether `*` stands for names that begin with a dot, too. */
  readonly hidden?: boolean;
  /** Whether upper case and lower case are the same. */
  readonly anyCase?: boolean;
}

/** Whether a text stands for other names than itself. */
export function isPattern(text: string): boolean {
  const { isGlob, negated } = picomatch.scan(text);
  return isGlob || negated;
}

/** More patterns than one in braces may stand for. */
export const MAX_SPELLINGS = 250;

/**
 * The patterns that one stands for, so that each `/` is between two parts of a path: alternatives with a `/` in them are spelled out, and
 * what means nothing, such as `./`, is gone. Goes no further where there are more than `MAX_SPELLINGS`.
 */
export function spellOut(pattern: string): readonly string[] {
  let spelled: readonly string[] = [pattern];
  for (let count = 0; count < spelled.length && spelled.length <= MAX_SPELLINGS;) {
    count = spelled.length;
    spelled = spelled.flatMap(spellOutFirst);
  }
  return spelled.map((one) => posix.normalize(one).replace(/\/$/u, ''));
}

/** Spells out the first braces that have a `/` in an alternative. */
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
 * Leads patterns that are spelled out along a path, name by name: from what the rest of a path may be to what it may be after a name, `''`
 * where the path may end there. There are as many rests as a pattern has parts, however deep the path.
 */
export type PatternWalk = (rests: readonly string[], name: string) => readonly string[];

/** What may match names that begin with a dot: a dot at the beginning. The package also takes `[!a]` for one. */
const NAMES_HIDDEN = /(?:^|[{,(|])\\?\./u;

/** A walk along patterns, each part of which is read but once. */
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
    // It stands for no name, or for one and then for any number again.
    const again = matches('*', name) ? [pattern] : [];
    return [...again, ...after(rest === '' ? '*' : rest, name)];
  };
  return (rests, name) => [...new Set(rests.flatMap((rest) => after(rest, name)))];
}

/** Whether one of the patterns names a path below their folder; nothing need be there. */
export function isNamedBy(patterns: readonly string[], path: string): boolean {
  const walk = createPatternWalk({});
  const start: readonly string[] = patterns.flatMap((pattern) => spellOut(pattern));
  return path
    .split('/')
    .reduce((rests, name) => walk(rests, name), start)
    .includes('');
}
