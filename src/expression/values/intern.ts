/**
 * The same text as the one string that JavaScript engines keep for a property name. What a parser cuts out of a longer text refers to
 * that text; comparing it, or looking it up in a map, takes several times as long.
 */
export function intern(text: string): string {
  return Object.keys({ [text]: true })[0] ?? text;
}
