import { distance } from 'fastest-levenshtein';
import { compareText } from './wording.ts';

/**
 * Returns the name that a mistyped word most likely means, or nothing. Case, `-` and `_` are ignored, and two swapped letters count as one
 * mistake; otherwise a third of the longer word's letters may be wrong, at least one.
 */
export function nearName(word: string, names: Iterable<string>): string | undefined {
  const folded = fold(word);
  const ranked = [...names]
    .map((name) => ({ name, ...slips(folded, fold(name)) }))
    // A name so short that all its letters may be wrong matches anything.
    .filter(({ name, far, allowed }) => far <= Math.min(allowed, name.length - 1))
    .sort((a, b) => a.far - b.far || compareText(a.name, b.name));
  return ranked[0]?.name;
}

function slips(word: string, name: string): { readonly far: number; readonly allowed: number } {
  const changed = distance(word, name);
  return {
    far: changed === 2 && sorted(word) === sorted(name) ? 1 : changed,
    allowed: Math.max(1, Math.floor(Math.max(word.length, name.length) / 3)),
  };
}

function sorted(word: string): string {
  return word.split('').sort().join('');
}

function fold(word: string): string {
  return word.toLowerCase().replaceAll(/[-_]/g, '');
}
