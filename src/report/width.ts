import stringWidth from 'string-width';

/** Returns the number of columns that a text takes in a terminal. */
export function widthOf(text: string): number {
  return /^[\x20-\x7e]*$/.test(text) ? text.length : stringWidth(text);
}

/** Pads a text with blanks to a number of columns. */
export function padTo(text: string, columns: number): string {
  return text + ' '.repeat(Math.max(columns - widthOf(text), 0));
}
