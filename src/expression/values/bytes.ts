const encoder = new TextEncoder();
const decoder = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true });
const ASCII_ONLY = /^[\0-\x7f]*$/u;

/** The UTF-8 bytes of a text as a binary string: one char from 0 to 255 for each byte. */
export function encodeBytes(text: string): string {
  return ASCII_ONLY.test(text) ? text : bytesToString(encoder.encode(text));
}

/** The text whose UTF-8 bytes a binary string holds; undefined when they are not valid UTF-8. */
export function decodeBytes(bytes: string): string | undefined {
  if (ASCII_ONLY.test(bytes)) {
    return bytes;
  }
  try {
    return decoder.decode(stringToBytes(bytes));
  } catch {
    return undefined;
  }
}

/** The bytes of an array as a binary string. */
export function bytesToString(bytes: Uint8Array): string {
  let text = '';
  for (const byte of bytes) {
    text += String.fromCharCode(byte);
  }
  return text;
}

/** The bytes of a binary string as an array. */
export function stringToBytes(bytes: string): Uint8Array {
  return Uint8Array.from(bytes, (character) => character.charCodeAt(0));
}

/** Whether a binary string has bytes beyond ASCII, which the case functions of JavaScript would change too. */
function isBeyondAscii(bytes: string): boolean {
  return /[\x80-\xff]/.test(bytes);
}

/** A binary string with the bytes A to Z made lower case and every other byte untouched (rules-language.md 7). */
export function lowerAscii(bytes: string): string {
  const lowered = bytes.toLowerCase();
  return lowered === bytes || !isBeyondAscii(bytes)
    ? lowered
    : bytes.replaceAll(/[A-Z]+/g, (run) => run.toLowerCase());
}

/** A binary string with the bytes a to z made upper case and every other byte untouched (rules-language.md 7). */
export function upperAscii(bytes: string): string {
  return isBeyondAscii(bytes) ? bytes.replaceAll(/[a-z]+/g, (run) => run.toUpperCase()) : bytes.toUpperCase();
}

/**
 * Returns a text as the string that JavaScript engines keep for property names. A piece cut out of a longer text by a parser refers to that
 * text, and takes several times as long to compare or to look up in a map.
 */
export function intern(text: string): string {
  return Object.keys({ [text]: true })[0] ?? text;
}
