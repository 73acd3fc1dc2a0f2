import { styleText } from 'node:util';

/** The role of a piece of text; the theme decides how it looks. */
export type Style =
  | 'add'
  | 'patch'
  | 'move'
  | 'delete'
  | 'heading'
  | 'strong'
  | 'label'
  | 'dim'
  | 'error'
  | 'warning'
  | 'info'
  | 'good'
  | 'removed-words'
  | 'added-words';

type Formats = Parameters<typeof styleText>[0];

const FORMATS: Readonly<Record<Style, Formats>> = {
  add: 'green',
  patch: 'yellow',
  move: 'cyan',
  delete: 'red',
  heading: ['bold', 'underline'],
  strong: 'bold',
  label: 'dim',
  dim: 'dim',
  error: ['red', 'bold'],
  warning: ['yellow', 'bold'],
  info: 'cyan',
  good: 'green',
  'removed-words': ['red', 'inverse'],
  'added-words': ['green', 'inverse'],
};

/** Applies a style to a text. */
export type Paint = (style: Style, text: string) => string;

/** Whether everything is shown by itself, or things that are alike are grouped; grouped unless given. */
export type Detail = 'each' | 'summed-up';

/** How a rendering looks: its width in terminal columns, and whether it may use colour. */
export interface Look {
  readonly width: number;
  /** Whether wider lines are wrapped; true unless given. */
  readonly wrap?: boolean;
  readonly colour: boolean;
  readonly detail?: Detail;
}

/** Returns the theme: with colour, or without any styling. */
export function paintFor(look: Pick<Look, 'colour'>): Paint {
  return look.colour
    ? (style, text) => (text === '' ? '' : styleText(FORMATS[style], text, { validateStream: false }))
    : (_style, text) => text;
}
