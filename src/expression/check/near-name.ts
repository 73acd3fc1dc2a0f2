import { distance } from 'fastest-levenshtein';

/** Longer words are no slips, and not worth comparing. */
const MOST_LETTERS = 100;

/** The name that a mistyped word most likely means, or nothing. Case does not count, two letters that changed places count as one. */
export function nearestName(word: string, known: Iterable<string>): string | undefined {
  if (word.length > MOST_LETTERS) {
    return undefined;
  }
  const lowered = word.toLowerCase();
  const allowed = word.length < 6 ? 1 : Math.max(2, Math.floor(word.length / 5));
  let best: string | undefined;
  // A word so short that all of it may be wrong says nothing.
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
