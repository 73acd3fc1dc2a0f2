import stringWidth from 'string-width';

/** Columns that a text takes in a terminal. */
export function widthOf(text: string): number {
  return /^[\x20-\x7e]*$/.test(text) ? text.length : stringWidth(text);
}

/** A text with blanks behind it, up to so many columns. */
export function padTo(text: string, columns: number): string {
  return text + ' '.repeat(Math.max(columns - widthOf(text), 0));
}
