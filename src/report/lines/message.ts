import { escapeLines } from '../escape.ts';
import type { Line } from '../layout.ts';
import { line, span } from '../layout.ts';
import type { Style } from '../theme.ts';

/** A message, line by line; nothing where there is none. */
export function messageLines(indent: number, message: string | undefined, style?: Style): readonly Line[] {
  return message === undefined
    ? []
    : escapeLines(message).map((text) => line(indent, style === undefined ? text : span(style, text)));
}

/** What to do about something, named as a hint; nothing where there is none. */
export function hintLines(indent: number, hint: string | undefined): readonly Line[] {
  return hint === undefined
    ? []
    : escapeLines(hint).map((text, index) =>
        line(indent, ...(index === 0 ? [span('info', 'hint'), `: ${text}`] : [text])),
      );
}
