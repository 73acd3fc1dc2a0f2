import { distance } from 'fastest-levenshtein';

/** Longer words are not typing mistakes, and comparing them is slow. */
const MOST_LETTERS = 100;

/** Returns the name that a mistyped word most likely means, or undefined. Case is ignored, and two swapped letters count as one mistake. */
export function nearestName(word: string, known: Iterable<string>): string | undefined {
  if (word.length > MOST_LETTERS) {
    return undefined;
  }
  const lowered = word.toLowerCase();
  const allowed = word.length < 6 ? 1 : Math.max(2, Math.floor(word.length / 5));
  let best: string | undefined;
  // A word of which every letter may be wrong says nothing: at least one must be right.
  let least = Math.min(allowed, word.length - 1) + 1;
  for (const candidate of known) {
    const far = Math.abs(candidate.length - word.length) > allowed ? least : slips(lowered, candidate);
    if (far < least) {
      least = far;
      best = candidate;
    }
  }
  return best;
}

function slips(word: string, name: string): number {
  const changed = distance(word, name);
  return changed === 2 && sorted(word) === sorted(name) ? 1 : changed;
}

function sorted(word: string): string {
  return word.split('').sort().join('');
}
