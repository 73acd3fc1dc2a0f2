import { escapeLines } from '../escape.ts';
import type { Line } from '../layout.ts';
import { line, span } from '../layout.ts';
import type { Style } from '../theme.ts';

/** Returns the lines of a message; none when it is undefined. */
export function messageLines(indent: number, message: string | undefined, style?: Style): readonly Line[] {
  return message === undefined
    ? []
    : escapeLines(message).map((text) => line(indent, style === undefined ? text : span(style, text)));
}

/** Returns the lines of a hint, labelled as one; none when it is undefined. */
export function hintLines(indent: number, hint: string | undefined): readonly Line[] {
  return hint === undefined
    ? []
    : escapeLines(hint).map((text, index) =>
        line(indent, ...(index === 0 ? [span('info', 'hint'), `: ${text}`] : [text])),
      );
}
