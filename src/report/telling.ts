import type { RuleChange } from '../model/change.ts';
import type { Style } from './theme.ts';

/** How one of two sides is introduced: between words of a line, and at the beginning of a line of its own. */
export interface Side {
  readonly inline: string;
  readonly leading: string;
  readonly style: Style;
}

/**
 * The two ways to tell one and the same plan. A plan says what will happen to live; drift says how live
 * has come to differ from the files.
 */
export interface Telling {
  readonly kind: 'plan' | 'drift';
  /** The live side: `before` of every change. */
  readonly live: Side;
  /** The side of the files: `after` of every change. */
  readonly files: Side;
  /** What stands between the two on one line. */
  readonly between: string;
}

/** What stands for a value that is not there. */
export const UNSET = '(not set)';

/** Told as what will be done. */
export const PLAN: Telling = {
  kind: 'plan',
  live: { inline: '', leading: '- ', style: 'delete' },
  files: { inline: '', leading: '+ ', style: 'add' },
  between: ' → ',
};

/** Told as what is found. */
export const DRIFT: Telling = {
  kind: 'drift',
  live: { inline: 'live ', leading: 'live   ', style: 'delete' },
  files: { inline: 'files ', leading: 'files  ', style: 'add' },
  between: ' · ',
};

/** What a kind of change is called in each telling. */
export const KIND_WORDS: Readonly<Record<Telling['kind'], Readonly<Record<RuleChange['kind'], string>>>> = {
  plan: { add: 'add', patch: 'patch', move: 'move', delete: 'delete' },
  drift: { add: 'missing live', patch: 'different', move: 'in another place', delete: 'only live' },
};

/** What changes are called that are counted, in the order in which they are told. */
export const COUNT_WORDS: Readonly<
  Record<Telling['kind'], readonly (readonly [kind: RuleChange['kind'], words: string])[]>
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

/** A symbol for each kind of change, readable without colour, and its style. */
export interface Sign {
  readonly sign: string;
  readonly style: Style;
}

/** Symbols of a plan, and of drift, where a rule that the plan would delete is one that live has in addition. */
export const SYMBOLS: Readonly<
  Record<Telling['kind'], Readonly<Record<'add' | 'patch' | 'move' | 'delete', Sign>>>
> = {
  plan: {
    add: { sign: '+', style: 'add' },
    patch: { sign: '~', style: 'patch' },
    move: { sign: '>', style: 'move' },
    delete: { sign: '-', style: 'delete' },
  },
  drift: {
    add: { sign: '-', style: 'delete' },
    patch: { sign: '~', style: 'patch' },
    move: { sign: '>', style: 'move' },
    // Green would praise a rule that nobody wants.
    delete: { sign: '+', style: 'patch' },
  },
};
