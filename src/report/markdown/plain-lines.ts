import { disarmLine, escapeText } from '../escape.ts';
import type { Line } from '../layout.ts';
import type { Block } from './block.ts';

/** The width for laying out lines in a fence. They are not wrapped; it keeps lists of fields in one column. */
export const WIDTH = 120;

/** Returns lines in a fence, as the terminal shows them; nothing when there are none. */
export function plainBlocks(lines: readonly Line[]): readonly Block[] {
  return lines.length === 0
    ? []
    : [
        {
          kind: 'code',
          title: '',
          language: 'text',
          lines: lines.map(({ indent, spans }) =>
            disarmLine(' '.repeat(indent) + spans.map(({ text }) => escapeText(text)).join('')),
          ),
        },
      ];
}
