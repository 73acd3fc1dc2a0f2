/** A text with CR LF at the end of each line, where what it was before has that. */
export function withBreaksOf(before: string, text: string): string {
  return before.includes('\n') && !/(?<!\r)\n/u.test(before) ? text.replaceAll(/\r?\n/gu, '\r\n') : text;
}
