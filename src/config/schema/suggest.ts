import { distance } from 'fastest-levenshtein';

/**
 * The candidate that a mistyped word most likely means, or nothing. Case, `-` and `_` count as no
 * difference; otherwise a third of the letters may be wrong, at least two.
 */
export function suggest(word: string, candidates: readonly string[]): string | undefined {
  const folded = fold(word);
  const allowed = Math.max(2, Math.floor(folded.length / 3));
  const ranked = candidates
    .map((candidate) => ({ candidate, far: distance(folded, fold(candidate)) }))
    .filter(({ candidate, far }) => far <= Math.min(allowed, candidate.length - 1))
    .sort((a, b) => a.far - b.far || (a.candidate < b.candidate ? -1 : 1));
  return ranked[0]?.candidate;
}

/** "did you mean `x`?", or nothing. */
export function didYouMean(word: string, candidates: readonly string[]): string | undefined {
  return asQuestion(suggest(word, candidates));
}

/** The question for a word that was found. */
export function asQuestion(found: string | undefined): string | undefined {
  return found === undefined ? undefined : `did you mean \`${found}\`?`;
}

/** A list of words for a message: "`a`, `b` or `c`". */
export function oneOfThese(words: readonly unknown[], last: 'or' | 'and' = 'or'): string {
  const quoted = words.map((word) => `\`${String(word)}\``);
  const end = quoted.at(-1) ?? '';
  return quoted.length < 2 ? end : `${quoted.slice(0, -1).join(', ')} ${last} ${end}`;
}

function fold(word: string): string {
  return word.toLowerCase().replaceAll(/[-_]/g, '');
}
