import type { Node, YAMLSeq } from 'yaml';

import { commentsBefore, contentEnd, endWithComments, lineStart } from './content-end.ts';

/** One item of a list in a text: from the comments before it to the end of its last line, line break included. */
export interface Chunk {
  readonly start: number;
  readonly end: number;
  /** Where its dash stands. */
  readonly dash: number;
  readonly column: number;
  readonly node: Node;
}

/** A dash, and what may stand between it and its item: a tag, an anchor, comments, line breaks. */
const DASH = /^(?<indent> *)-(?=\s)(?:\s|[&!]\S+|#[^\n]*\n)*(?![^])/mu;

/** The items of a list that is written item by item on lines of its own; undefined where it is not. */
export function chunksOf(text: string, list: YAMLSeq<Node>): readonly Chunk[] | undefined {
  const chunks: Chunk[] = [];
  let floor = 0;
  for (const [at, node] of list.items.entries()) {
    const from = at === 0 ? lineStart(text, list.range?.[0] ?? 0) : floor;
    const found = DASH.exec(text.slice(from, node.range?.[0] ?? 0));
    if (found === null) {
      return undefined;
    }
    const line = from + found.index;
    const column = found.groups?.['indent']?.length ?? 0;
    const end = Math.min(endWithComments(text, contentEnd(text, node), column) + 1, text.length);
    chunks.push({ start: commentsBefore(text, line, floor, column), end, dash: line + column, column, node });
    floor = end;
  }
  return chunks.map((chunk, index) => ({ ...chunk, end: chunks[index + 1]?.start ?? chunk.end }));
}
