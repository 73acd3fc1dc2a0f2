/** Spells out the line breaks of a name or a value, so that it cannot begin a line of a message. Renderings escape everything else. */
export function oneLine(text: string): string {
  return text.replaceAll('\n', String.raw`\n`).replaceAll('\r', String.raw`\r`);
}
