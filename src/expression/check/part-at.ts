import { showBytes } from '../language/source.ts';

/** The word, the text or the sign at a place, or that nothing is there. */
export function partAt(bytes: string, at: number): string {
  const from = /^\s*/u.exec(bytes.slice(at, at + MOST_LOOKED_AT))?.[0].length ?? 0;
  const rest = bytes.slice(at + from, at + from + MOST_LOOKED_AT);
  const [part = ''] = /^(?:"(?:\\.|[^"\\])*"?|[^\s"(){},]+|.)/su.exec(rest) ?? [];
  const shown = showBytes(part).replaceAll(/\s+/gu, ' ');
  return shown === ''
    ? NOTHING
    : `\`${shown.length > MOST_SHOWN ? `${shown.slice(0, MOST_SHOWN)}…` : shown}\``;
}

/** What `partAt` says where nothing is. */
export const NOTHING = 'the end';
/** A slip is seen in so many bytes. */
export const MOST_LOOKED_AT = 200;
/** Letters of a part that make it known again. */
export const MOST_SHOWN = 40;
