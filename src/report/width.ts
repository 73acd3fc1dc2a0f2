import stringWidth from 'string-width';

/** Columns that a text takes in a terminal. */
export function widthOf(text: string): number {
  return /^[\x20-\x7e]*$/.test(text) ? text.length : stringWidth(text);
}
