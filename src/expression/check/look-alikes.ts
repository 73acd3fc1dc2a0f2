import { encodeBytes } from '../values/bytes.ts';
import type { Report } from './finding.ts';
import type { Subject } from './subject.ts';

/** Scripts with letters that cannot be told from Latin ones. */
const ALIKE = [
  ['Cyrillic', /\p{Script=Cyrillic}/u],
  ['Greek', /\p{Script=Greek}/u],
  ['Armenian', /\p{Script=Armenian}/u],
  ['Cherokee', /\p{Script=Cherokee}/u],
] as const;

const LATIN = /\p{Script=Latin}/u;

/** What is not seen at all, or passes for a blank. */
const UNSEEN = /[\p{Cf}\p{Default_Ignorable_Code_Point}\u2800\u00a0\u2000-\u200a\u202f\u205f]/gu;

/**
 * Texts that are not what a reader takes them for: a Latin name with one Cyrillic letter, and what is invisible. All but ASCII stands in literals,
 * so the text itself is searched.
 */
export function checkLookAlikes({ text }: Subject, report: Report): void {
  if (!/\P{ASCII}/u.test(text)) {
    return;
  }
  const tell = (index: number, length: number, message: string): void => {
    const start = encodeBytes(text.slice(0, index)).length;
    const end = start + encodeBytes(text.slice(index, index + length)).length;
    report('expression/look-alike', { message, span: { start, end } });
  };
  for (const { 0: word, index } of text.matchAll(/\p{L}+/gu)) {
    const foreign = LATIN.test(word) ? foreignLetter(word) : undefined;
    if (foreign !== undefined) {
      tell(index, word.length, `${word} has Latin letters and ${foreign}, which may look like one`);
    }
  }
  for (const { 0: character, index } of text.matchAll(UNSEEN)) {
    tell(index, character.length, `the invisible character ${codePoint(character)} stands here`);
  }
}

/** The first letter of another script that looks like Latin. */
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
