import { escapeText } from '../escape.ts';

const ENTITIES: ReadonlyMap<string, string> = new Map([
  ['&', '&amp;'],
  ['<', '&lt;'],
  ['>', '&gt;'],
  ['"', '&quot;'],
]);

/**
 * Escapes a text for XML 1.0. Characters that could control a terminal or reorder a line are spelled out, no line starts like a command of
 * a CI service, and characters that XML does not allow become U+FFFD.
 */
export function xmlText(text: string): string {
  return linesOf(text)
    .map((line) => line.replace(/^(\s*)::/, '$1&#58;:'))
    .join('\n');
}

/** Escapes a text for an attribute, including line breaks, which XML would turn into blanks. */
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
