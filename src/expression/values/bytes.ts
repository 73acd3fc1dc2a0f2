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
