/** Gives a text CR LF at the end of each line, where every line of `before` ends so. */
export function withBreaksOf(before: string, text: string): string {
  return before.includes('\n') && !/(?<!\r)\n/u.test(before) ? text.replaceAll(/\r?\n/gu, '\r\n') : text;
}
