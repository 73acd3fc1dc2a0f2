import { encodeBytes } from '../values/bytes.ts';
import type { Report, CheckSubject } from './check-finding.ts';

/** Scripts with letters that look like Latin ones. The Greek letters of units, as in 10 μs and kΩ, are exempt. */
const ALIKE = [
  ['Cyrillic', /\p{Script=Cyrillic}/u],
  ['Greek', /(?![μΩ])\p{Script=Greek}/u],
  ['Armenian', /\p{Script=Armenian}/u],
  ['Cherokee', /\p{Script=Cherokee}/u],
] as const;

const LATIN = /\p{Script=Latin}/u;

/** Characters that are invisible or look like a blank. */
const UNSEEN = /[\p{Cf}\p{Default_Ignorable_Code_Point}\u2800\u00a0\u2000-\u200a\u202f\u205f]/gu;

/** A part of a text that is not what it looks like; `index` and `length` count UTF-16 units. */
export interface LookAlike {
  readonly index: number;
  readonly length: number;
  readonly message: string;
}

/** Finds Latin words with a letter of another script that looks alike, and the invisible characters that `unseen` matches. */
export function lookAlikesIn(text: string, unseen: RegExp = UNSEEN): readonly LookAlike[] {
  if (!/\P{ASCII}/u.test(text)) {
    return [];
  }
  const words = [...text.matchAll(/\p{L}+/gu)].flatMap(({ 0: word, index }) => {
    const foreign = LATIN.test(word) ? foreignLetter(word) : undefined;
    const message = `${word} has Latin letters and ${foreign ?? ''}, which may look like one`;
    return foreign === undefined ? [] : [{ index, length: word.length, message }];
  });
  const hidden = [...text.matchAll(unseen)].map(({ 0: character, index }) => ({
    index,
    length: character.length,
    message: `the invisible character ${codePoint(character)} stands here`,
  }));
  return [...words, ...hidden];
}

/** Reports look-alikes in an expression. Characters beyond ASCII occur in literals only, so the text itself is searched. */
export function checkLookAlikes({ text }: CheckSubject, report: Report): void {
  for (const { index, length, message } of lookAlikesIn(text)) {
    const start = encodeBytes(text.slice(0, index)).length;
    const end = start + encodeBytes(text.slice(index, index + length)).length;
    report('expression/look-alike', { message, span: { start, end } });
  }
}

/** Describes the first letter of another script that looks like a Latin one. */
function foreignLetter(word: string): string | undefined {
  for (const [script, letters] of ALIKE) {
    const letter = letters.exec(word)?.[0];
    if (letter !== undefined) {
      return `the ${script} ${letter} (${codePoint(letter)})`;
    }
  }
  return undefined;
}

function codePoint(character: string): string {
  return `U+${(character.codePointAt(0) ?? 0).toString(16).toUpperCase().padStart(4, '0')}`;
}
