import { intervalsOf } from './intervals.ts';
import type { Intervals } from './intervals.ts';

const DIGIT = [0x30, 0x39] as const;
const UPPER = [0x41, 0x5a] as const;
const LOWER = [0x61, 0x7a] as const;
const SPACE = [
  [0x09, 0x0d],
  [0x20, 0x20],
] as const;

const CLASSES: ReadonlyMap<string, Intervals> = new Map(
  Object.entries({
    alnum: intervalsOf([DIGIT, UPPER, LOWER]),
    alpha: intervalsOf([UPPER, LOWER]),
    ascii: [[0x00, 0x7f]],
    blank: intervalsOf([
      [0x09, 0x09],
      [0x20, 0x20],
    ]),
    cntrl: intervalsOf([
      [0x00, 0x1f],
      [0x7f, 0x7f],
    ]),
    digit: [DIGIT],
    graph: [[0x21, 0x7e]],
    lower: [LOWER],
    print: [[0x20, 0x7e]],
    punct: intervalsOf([
      [0x21, 0x2f],
      [0x3a, 0x40],
      [0x5b, 0x60],
      [0x7b, 0x7e],
    ]),
    space: SPACE,
    upper: [UPPER],
    word: intervalsOf([DIGIT, UPPER, LOWER, [0x5f, 0x5f]]),
    xdigit: intervalsOf([DIGIT, [0x41, 0x46], [0x61, 0x66]]),
  } satisfies Record<string, Intervals>),
);

/** Whether `[:name:]` is a class. */
export function isPosixClass(name: string): boolean {
  return CLASSES.has(name);
}

/** Returns the bytes of `[:name:]`. */
export function posixClass(name: string): Intervals {
  return CLASSES.get(name) ?? [];
}

/** Returns the bytes of `\d`, `\s` or `\w`; unlike in RE2, `\s` includes the vertical tab (rules-language.md 2.5). */
export function perlClass(name: 'd' | 's' | 'w'): Intervals {
  return posixClass({ d: 'digit', s: 'space', w: 'word' }[name]);
}
