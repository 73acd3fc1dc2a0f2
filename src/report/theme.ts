import { styleText } from 'node:util';

/** What a piece of text is, for the eye; the theme decides how it looks. */
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

/** Puts a style on a text. */
export type Paint = (style: Style, text: string) => string;

/** Whether everything is told by itself, or what is alike once; that unless given. */
export type Detail = 'each' | 'summed-up';

/** How a rendering looks: the width it is made for, in terminal columns, and whether it may use colour. */
export interface Look {
  readonly width: number;
  /** Whether lines that are wider are broken; they are unless it is false. */
  readonly wrap?: boolean;
  readonly colour: boolean;
  readonly detail?: Detail;
}

/** The theme: with colour, or plain text as it is. */
export function paintFor(look: Pick<Look, 'colour'>): Paint {
  return look.colour
    ? (style, text) => (text === '' ? '' : styleText(FORMATS[style], text, { validateStream: false }))
    : (_style, text) => text;
}
