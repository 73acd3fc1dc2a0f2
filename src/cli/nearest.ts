import { closest, distance } from 'fastest-levenshtein';

/** The name that somebody who typed this text most probably meant; null when none is close. */
export function nearest(text: string, names: readonly string[]): string | null {
  if (names.length === 0) {
    return null;
  }
  const name = closest(text, [...names]);
  const most = Math.min(Math.max(2, Math.floor(text.length / 3)), text.length - 1);
  return distance(text, name) <= most ? name : null;
}
