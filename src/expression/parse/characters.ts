/** A set of bytes: 1 at those that are in it. */
export type CharacterSet = Readonly<Uint8Array>;

/** The set of some characters. */
function characterSet(characters: string): CharacterSet {
  const set = new Uint8Array(256);
  for (const character of characters) {
    set[character.charCodeAt(0)] = 1;
  }
  return set;
}

const DIGITS = '0123456789';
const SMALL_LETTERS = 'abcdefghijklmnopqrstuvwxyz';

/** What numbers are read as; which of these a number may have is judged afterwards. */
export const HEX_DIGITS = characterSet(`${DIGITS}abcdefABCDEF`);
/** What addresses, networks and ranges of them are made of. */
export const ADDRESS_CHARACTERS = characterSet(`${DIGITS}abcdefABCDEF:./`);
/** What the parts of names of fields and functions are made of. */
export const NAME_CHARACTERS = characterSet(`${DIGITS}_${SMALL_LETTERS}${SMALL_LETTERS.toUpperCase()}`);
/** What names of lists are made of. */
export const LIST_CHARACTERS = characterSet(`${DIGITS}_.${SMALL_LETTERS}`);

/** The end of the longest run of characters of a set at a position; the position itself when there is none. */
export function runEnd(set: CharacterSet, bytes: string, position: number): number {
  let end = position;
  while (end < bytes.length && set[bytes.charCodeAt(end)] === 1) {
    end += 1;
  }
  return end;
}
