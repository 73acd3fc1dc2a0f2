import { escapeText } from '../escape.ts';

const ENTITIES: ReadonlyMap<string, string> = new Map([
  ['&', '&amp;'],
  ['<', '&lt;'],
  ['>', '&gt;'],
  ['"', '&quot;'],
]);

/**
 * Text of XML 1.0. What could steer a terminal or reorder a line is spelled out, and no line begins as a command of a
 * build service; what XML cannot carry at all becomes U+FFFD.
 */
export function xmlText(text: string): string {
  return linesOf(text)
    .map((line) => line.replace(/^(\s*)::/, '$1&#58;:'))
    .join('\n');
}

/** Text inside of an attribute, where a line break would become a blank. */
export function xmlAttribute(text: string): string {
  return linesOf(text).join('&#10;');
}

function linesOf(text: string): readonly string[] {
  return text.split(/\r?\n/).map((line) =>
    escapeText(line)
      .replaceAll(/[\u{fffe}\u{ffff}]/gu, '\u{fffd}')
      .replaceAll(/[&<>"]/g, (character) => ENTITIES.get(character) ?? character),
  );
}
