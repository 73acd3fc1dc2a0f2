import type { RuleChange } from '../model/index.ts';
import type { DifferenceSides, EntryBlock, EntryMark, Inline } from './tree.ts';
import { CHANGE_SIDES, entry, span } from './tree.ts';

/** The perspective on the changes of a plan. A plan says what will happen to live; drift says how live has come to differ from the files. */
export interface Perspective {
  readonly kind: 'plan' | 'drift';
  /** Before is live, after what the files say. */
  readonly sides: DifferenceSides;
}

/** The perspective of what will be done. */
export const PLAN: Perspective = { kind: 'plan', sides: CHANGE_SIDES };

/** The perspective of what was found: from the files to live. */
export const DRIFT: Perspective = {
  kind: 'drift',
  sides: {
    before: { inline: 'live ', leading: 'live   ', word: 'live', sign: '+', style: 'removed' },
    after: { inline: 'files ', leading: 'files  ', word: 'files', sign: '-', style: 'added' },
    between: ' · ',
  },
};

/** The words for counted changes, in the order in which they are shown. */
export const COUNT_WORDS: Readonly<
  Record<Perspective['kind'], readonly (readonly [kind: RuleChange['kind'], words: string])[]>
> = {
  plan: [
    ['add', 'to add'],
    ['patch', 'to patch'],
    ['move', 'to move'],
    ['delete', 'to delete'],
  ],
  drift: [
    ['delete', 'only live'],
    ['add', 'missing live'],
    ['patch', 'different'],
    ['move', 'in another place'],
  ],
};

/** The signs of changes, readable without colour. Those of drift are read from the files: a rule that the plan would delete is more than they say. */
export const MARKS: Readonly<Record<Perspective['kind'], Readonly<Record<RuleChange['kind'], EntryMark>>>> = {
  plan: {
    add: { sign: '+', word: 'add', style: 'added' },
    patch: { sign: '~', word: 'patch', style: 'changed' },
    move: { sign: '>', word: 'move', style: 'moved' },
    delete: { sign: '-', word: 'delete', style: 'removed' },
  },
  drift: {
    add: { sign: '-', word: 'missing live', style: 'removed' },
    patch: { sign: '~', word: 'different', style: 'changed' },
    move: { sign: '>', word: 'in another place', style: 'moved' },
    // Green would suggest that such a rule is welcome.
    delete: { sign: '+', word: 'only live', style: 'changed' },
  },
};

/** Returns a mark without its word, for what has happened already. */
export function signOf({ sign, style }: EntryMark): EntryMark {
  return sign === undefined ? { style } : { sign, style };
}

/** Returns what signs stand for. */
export function legendEntry(marks: readonly EntryMark[]): EntryBlock {
  const parts = marks.flatMap(({ sign = '', word = '' }, index): Inline => [
    ...(index === 0 ? [] : [span('dim', '   ')]),
    span('code', sign),
    span('dim', ` ${word}`),
  ]);
  return entry(undefined, parts, { apart: true });
}
