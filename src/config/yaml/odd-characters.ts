import type { Diagnostic } from '../../model/diagnostic.ts';
import { finding } from '../source/finding.ts';
import type { SourceText } from '../source/source-text.ts';
import { spanAt } from '../source/source-text.ts';

/** Characters that YAML does not print (YAML 1.2.2, 5.1): a file with one counts as binary, and a review does not show its changes. */
const CONTROL = /(?![\t\n\r\x85])\p{Cc}|\r(?!\n)/u;

/** Characters that set the direction of the text behind them, so that a line does not say what it seems to say. */
const DIRECTION = /[\u202a-\u202e\u2066-\u2069]/gu;

/** Returns the finding about the first control character of a file, behind which everything is in doubt; undefined where there is none. */
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

/** Characters that may fill a whole file, and what the file is then. */
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

/** Warns of characters that reverse the direction of a line. */
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
