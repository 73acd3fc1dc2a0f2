const ENTITIES: ReadonlyMap<string, string> = new Map([
  ['&', '&amp;'],
  ['<', '&lt;'],
  ['>', '&gt;'],
  ['"', '&quot;'],
  ['\r', '&#13;'],
]);

/** Text for XML 1.0: what it cannot carry at all becomes U+FFFD. */
export function xmlText(text: string): string {
  return text
    .replaceAll(/[^\t\n\r\u{20}-\u{d7ff}\u{e000}-\u{fffd}\u{10000}-\u{10ffff}]/gu, '\u{fffd}')
    .replaceAll(/[&<>"\r]/gu, (character) => ENTITIES.get(character) ?? character);
}

/** Text inside of an attribute, where white space would become blanks. */
export function xmlAttribute(text: string): string {
  return xmlText(text).replaceAll('\n', '&#10;').replaceAll('\t', '&#9;');
}
