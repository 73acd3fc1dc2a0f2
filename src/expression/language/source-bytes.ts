import { decodeBytes, encodeBytes, stringToBytes } from '../values/bytes.ts';

/** Decodes a binary string for display: bytes that are not UTF-8 become U+FFFD. */
export function showBytes(binary: string): string {
  return decodeBytes(binary) ?? new TextDecoder('utf-8', { ignoreBOM: true }).decode(stringToBytes(binary));
}

/** Returns the first `most` characters of a longer text, with an ellipsis; it never cuts a character in two. */
export function shortened(text: string, most: number): string {
  // Each character has at most two UTF-16 units.
  const characters = text.length > most ? Array.from(text.slice(0, 2 * most + 1)) : [];
  return characters.length > most ? `${characters.slice(0, most).join('')}…` : text;
}

// The White_Space property: what the engine trims at both ends (rules-language.md 1.1). String.trim() differs in U+0085 and U+FEFF.
const WHITE = '\\t-\\r \\x85\\xa0\\u1680\\u2000-\\u200a\\u2028\\u2029\\u202f\\u205f\\u3000';
const LEADING = new RegExp(`^[${WHITE}]*`, 'u');
const WHITE_CHARACTER = new RegExp(`[${WHITE}]`, 'u');

/** Returns the text as the parser sees it: its bytes up to the end of the trimmed text, and where the trimmed text starts. */
export function trimSource(text: string): { readonly bytes: string; readonly start: number } {
  if (isVisible(text.charCodeAt(0)) && isVisible(text.charCodeAt(text.length - 1))) {
    return { bytes: encodeBytes(text), start: 0 };
  }
  const leading = LEADING.exec(text)?.[0] ?? '';
  if (leading === text) {
    // Of a blank text the engine reports the start.
    return { bytes: '', start: 0 };
  }
  let end = text.length;
  while (end > leading.length && WHITE_CHARACTER.test(text.charAt(end - 1))) {
    end -= 1;
  }
  return { bytes: encodeBytes(text.slice(0, end)), start: encodeBytes(leading).length };
}

/** Whether a char code is that of a visible ASCII character; false for NaN, the code at an index of an empty text. */
function isVisible(code: number): boolean {
  return code > 0x20 && code < 0x7f;
}

/**
 * Returns a function from byte offsets in a text to UTF-16 offsets, for editors and YAML positions. An offset inside a character counts as
 * its start.
 */
export function utf16Offsets(text: string): (byteOffset: number) => number {
  if (encodeBytes(text) === text) {
    return (byteOffset) => Math.min(byteOffset, text.length);
  }
  const units: number[] = [];
  let offset = 0;
  for (const character of text) {
    for (let left = utf8Length(character.codePointAt(0) ?? 0); left > 0; left -= 1) {
      units.push(offset);
    }
    offset += character.length;
  }
  return (byteOffset) => units[byteOffset] ?? offset;
}

function utf8Length(codePoint: number): number {
  if (codePoint < 0x80) {
    return 1;
  }
  if (codePoint < 0x8_00) {
    return 2;
  }
  return codePoint < 0x1_00_00 ? 3 : 4;
}
