import type { Diagnostic } from '../../model/diagnostic.ts';
import { finding } from '../source/finding.ts';
import type { SourceText } from '../source/source-text.ts';
import { spanAt } from '../source/source-text.ts';

/** What YAML does not print (YAML 1.2.2, 5.1): a file with it counts as binary, and its changes are not shown in a review. */
const CONTROL = /(?![\t\n\r\x85])\p{Cc}|\r(?!\n)/u;

/** What sets the direction of the text behind it, so that a line does not say what it seems to say. */
const DIRECTION = /[\u202a-\u202e\u2066-\u2069]/gu;

/** The first control character of a file, of which all is in doubt behind it; nothing where there is none. */
export function controlCharacter(source: SourceText): Diagnostic | undefined {
  const at = source.text.search(CONTROL);
  if (at === -1) {
    return undefined;
  }
  const name = codePoint(source.text, at);
  return finding('yaml/control-character', {
    message: `the control character ${name} stands here`,
    hint: 'delete it; if a text needs it, write it as an escape in double quotes, such as "\\x1b"',
    ...SEEN_OFTEN.get(name),
    where: spanAt(source, at, at + 1),
  });
}

/** Characters that a whole file is full of, and what it is then. */
const SEEN_OFTEN: ReadonlyMap<string, { readonly message?: string; readonly hint: string }> = new Map([
  [
    'U+000D',
    {
      message: 'a carriage return (U+000D) stands here without a line feed',
      hint: 'save the file with the line ends of Unix or Windows',
    },
  ],
  ['U+0000', { hint: 'delete it; if the file is UTF-16, save it as UTF-8' }],
]);

/** Characters that turn the direction of a line around. */
export function directionCharacters(source: SourceText): readonly Diagnostic[] {
  return [...source.text.matchAll(DIRECTION)].map(({ index }) => {
    const name = codePoint(source.text, index);
    return finding('yaml/text-direction', {
      message: `the invisible character ${name} stands here: this line is not shown in the order in which it is read`,
      hint: `delete it, or write it as "\\u${name.slice(2).toLowerCase()}" in double quotes`,
      where: spanAt(source, index, index + 1),
    });
  });
}

function codePoint(text: string, at: number): string {
  return `U+${(text.codePointAt(at) ?? 0).toString(16).toUpperCase().padStart(4, '0')}`;
}
