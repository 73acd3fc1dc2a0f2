import { shortened, showBytes } from '../language/source.ts';

/** Quotes the word, string or sign at a place; returns `NOTHING` at the end of the text. */
export function partAt(bytes: string, at: number): string {
  const from = /^\s*/u.exec(bytes.slice(at, at + MOST_LOOKED_AT))?.[0].length ?? 0;
  const rest = bytes.slice(at + from, at + from + MOST_LOOKED_AT);
  const [part = ''] = /^(?:"(?:\\.|[^"\\])*"?|[^\s"(){},]+|.)/su.exec(rest) ?? [];
  const shown = showBytes(part).replaceAll(/\s+/gu, ' ');
  return shown === '' ? NOTHING : `\`${shortened(shown, MOST_SHOWN)}\``;
}

/** What `partAt` returns at the end of the text. */
export const NOTHING = 'the end';
/** How many bytes are searched for a slip. */
export const MOST_LOOKED_AT = 200;
/** How many characters of a part a message quotes. */
export const MOST_SHOWN = 40;
