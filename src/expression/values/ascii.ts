/** A binary string with the bytes A to Z made lower case and every other byte untouched (rules-language.md 7). */
export function lowerAscii(bytes: string): string {
  return /[A-Z]/u.test(bytes) ? bytes.replaceAll(/[A-Z]+/gu, (run) => run.toLowerCase()) : bytes;
}

/** A binary string with the bytes a to z made upper case and every other byte untouched (rules-language.md 7). */
export function upperAscii(bytes: string): string {
  return /[a-z]/u.test(bytes) ? bytes.replaceAll(/[a-z]+/gu, (run) => run.toUpperCase()) : bytes;
}
