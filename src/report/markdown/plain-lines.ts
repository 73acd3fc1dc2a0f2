import { disarmLine, escapeText } from '../escape.ts';
import type { Line } from '../layout.ts';
import type { Block } from './block.ts';

/** Lines in a fence are not wrapped; this keeps lists of fields in one column. */
export const WIDTH = 120;

/** Lines as the terminal shows them, in a fence; nothing where there are none. */
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
