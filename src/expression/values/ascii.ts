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
