/**
 * Returns a text as the string that JavaScript engines keep for property names. A piece cut out of a longer text by a parser refers to that
 * text, and takes several times as long to compare or to look up in a map.
 */
export function intern(text: string): string {
  return Object.keys({ [text]: true })[0] ?? text;
}
