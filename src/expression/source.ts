const ASCII_ONLY = /^[\0-\x7f]*$/u;
const encoder = new TextEncoder();
const decoder = new TextDecoder('utf-8', { fatal: true });
const CHUNK = 8192;

/**
 * The UTF-8 bytes of a text as a binary string: one char (0..255) per byte. The engine reads, counts and compares bytes;
 * a binary string makes that plain string work. Lone surrogates become U+FFFD.
 */
export function encodeText(text: string): string {
  if (ASCII_ONLY.test(text)) {
    return text;
  }
  const bytes = encoder.encode(text);
  let binary = '';
  for (let start = 0; start < bytes.length; start += CHUNK) {
    binary += String.fromCharCode(...bytes.subarray(start, start + CHUNK));
  }
  return binary;
}

/** The text that a binary string encodes; undefined when the bytes are not UTF-8. */
export function decodeText(binary: string): string | undefined {
  if (ASCII_ONLY.test(binary)) {
    return binary;
  }
  try {
    return decoder.decode(Uint8Array.from(binary, (char) => char.charCodeAt(0)));
  } catch {
    return undefined;
  }
}

/** The text of a binary string for people: bytes that are not UTF-8 become U+FFFD. */
export function showText(binary: string): string {
  return decodeText(binary) ?? new TextDecoder().decode(Uint8Array.from(binary, (char) => char.charCodeAt(0)));
}

// The White_Space property: what the engine trims at both ends (rules-language.md 1.1). String.trim() differs in U+0085 and U+FEFF.
const WHITE = '\\t-\\r \\x85\\xa0\\u1680\\u2000-\\u200a\\u2028\\u2029\\u202f\\u205f\\u3000';
const LEADING = new RegExp(`^[${WHITE}]*`, 'u');
const WHITE_CHARACTER = new RegExp(`[${WHITE}]`, 'u');

/** The text as the parser sees it: its bytes up to the end of the trimmed text, and where the trimmed text starts. */
export function trimSource(text: string): { readonly bytes: string; readonly start: number } {
  const leading = LEADING.exec(text)?.[0] ?? '';
  let end = text.length;
  while (end > leading.length && WHITE_CHARACTER.test(text.charAt(end - 1))) {
    end -= 1;
  }
  return { bytes: encodeText(text.slice(0, end)), start: encodeText(leading).length };
}

/** The UTF-16 offset of a byte offset, for editors and YAML positions; an offset inside a character counts as its start. */
export function utf16Offset(text: string, byteOffset: number): number {
  let bytes = 0;
  let offset = 0;
  for (const character of text) {
    bytes += utf8Length(character.codePointAt(0) ?? 0);
    if (bytes > byteOffset) {
      return offset;
    }
    offset += character.length;
  }
  return offset;
}

function utf8Length(codePoint: number): number {
  if (codePoint < 0x80) {
    return 1;
  }
  if (codePoint < 0x800) {
    return 2;
  }
  return codePoint < 0x1_00_00 ? 3 : 4;
}
