/** A set of bytes: 1 at the index of each byte in it. */
export type CharacterSet = Readonly<Uint8Array>;

function characterSet(characters: string): CharacterSet {
  const set = new Uint8Array(256);
  for (const character of characters) {
    set[character.charCodeAt(0)] = 1;
  }
  return set;
}

const DIGITS = '0123456789';
const SMALL_LETTERS = 'abcdefghijklmnopqrstuvwxyz';

/** The characters that are read as a number; whether its radix has them is checked afterwards. */
export const HEX_DIGITS = characterSet(`${DIGITS}abcdefABCDEF`);
/** The characters of addresses, networks and ranges of addresses. */
export const ADDRESS_CHARACTERS = characterSet(`${DIGITS}abcdefABCDEF:./`);
/** The characters of the parts of field and function names. */
export const NAME_CHARACTERS = characterSet(`${DIGITS}_${SMALL_LETTERS}${SMALL_LETTERS.toUpperCase()}`);
/** The characters of list names. */
export const LIST_CHARACTERS = characterSet(`${DIGITS}_.${SMALL_LETTERS}`);

/** Returns the end of the longest run of characters of a set at a position; the position itself when there is none. */
export function runEnd(set: CharacterSet, bytes: string, position: number): number {
  let end = position;
  while (end < bytes.length && set[bytes.charCodeAt(end)] === 1) {
    end += 1;
  }
  return end;
}
