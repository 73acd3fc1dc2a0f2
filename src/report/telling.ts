import type { RuleChange } from '../model/index.ts';
import type { Style } from './layout.ts';

/** How one of two sides is introduced: within a line, and at the beginning of its own line. */
export interface Perspective {
  readonly inline: string;
  readonly leading: string;
  readonly style: Style;
}

/** The perspective on the changes of a plan. A plan says what will happen to live; drift says how live has come to differ from the files. */
export interface Telling {
  readonly kind: 'plan' | 'drift';
  /** The live side: `before` of every change. */
  readonly live: Perspective;
  /** The side of the files: `after` of every change. */
  readonly files: Perspective;
  /** The separator between both sides on one line. */
  readonly between: string;
}

/** The text for a value that is not set. */
export const UNSET = '(not set)';

/** The perspective of what will be done. */
export const PLAN: Telling = {
  kind: 'plan',
  live: { inline: '', leading: '- ', style: 'delete' },
  files: { inline: '', leading: '+ ', style: 'add' },
  between: ' → ',
};

/** The perspective of what was found. */
export const DRIFT: Telling = {
  kind: 'drift',
  live: { inline: 'live ', leading: 'live   ', style: 'delete' },
  files: { inline: 'files ', leading: 'files  ', style: 'add' },
  between: ' · ',
};

/** The words for a kind of change in each perspective. */
export const KIND_WORDS: Readonly<Record<Telling['kind'], Readonly<Record<RuleChange['kind'], string>>>> = {
  plan: { add: 'add', patch: 'patch', move: 'move', delete: 'delete' },
  drift: { add: 'missing live', patch: 'different', move: 'in another place', delete: 'only live' },
};

/** The words for counted changes, in the order in which they are shown. */
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

/** The symbols of a plan, and those of drift, where a rule that the plan would delete is an additional live rule. */
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
    // Green would suggest that such a rule is welcome.
    delete: { sign: '+', style: 'patch' },
  },
};
