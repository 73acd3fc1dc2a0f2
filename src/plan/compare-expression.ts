/** How two expression texts compare: the same bytes, the same meaning in other bytes, or not provably the same. */
export type ExpressionComparison = 'identical' | 'respelled' | 'different';

/** Compares two expressions; `respelled` only when the meaning is provably the same (rules-language.md 6.3). */
export function compareExpressions(a: string, b: string): ExpressionComparison {
  if (a === b) {
    return 'identical';
  }
  return foldSpace(a) === foldSpace(b) ? 'respelled' : 'different';
}

/** The text with white space outside of quoted strings folded to single blanks. */
function foldSpace(text: string): string {
  return text
    .trim()
    .replaceAll(/("(?:[^"\\]|\\.)*")|\s+/gs, (_match, quoted: string | undefined) => quoted ?? ' ');
}
