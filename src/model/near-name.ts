import { distance } from 'fastest-levenshtein';

/**
 * The name that a mistyped word most likely means, or nothing. Case, `-` and `_` count as no difference; otherwise a
 * third of the letters may be wrong, at least two.
 */
export function nearName(word: string, names: Iterable<string>): string | undefined {
  const folded = fold(word);
  const allowed = Math.max(2, Math.floor(folded.length / 3));
  const ranked = [...names]
    .map((name) => ({ name, far: distance(folded, fold(name)) }))
    // A name so short that all of it may be wrong says nothing.
    .filter(({ name, far }) => far <= Math.min(allowed, name.length - 1))
    .sort((a, b) => a.far - b.far || (a.name < b.name ? -1 : 1));
  return ranked[0]?.name;
}

function fold(word: string): string {
  return word.toLowerCase().replaceAll(/[-_]/g, '');
}
