import { isMap, isSeq } from 'yaml';
import type { Node, YAMLSeq } from 'yaml';

import type { JsonObject } from '../../model/json.ts';
import { applyEdits } from '../fix/edit-scalar.ts';
import type { TextEdit } from '../fix/edit-scalar.ts';
import { commentsBefore, contentEnd, lineEnd, lineStart } from './content-end.ts';
import { editMap } from './edit-map.ts';
import type { FileNote } from './scope-text.ts';
import { withKeptComments } from './kept-comments.ts';
import { itemText } from './snippet.ts';

/** A rule of a list as it is to be. */
export type ItemEdit =
  | { readonly kind: 'keep'; readonly index: number }
  | {
      readonly kind: 'edit';
      readonly index: number;
      readonly value: JsonObject;
      readonly wanted: JsonObject;
      readonly keys: ReadonlySet<string>;
      readonly notes: readonly FileNote[];
    }
  | { readonly kind: 'insert'; readonly wanted: JsonObject; readonly notes: readonly FileNote[] };

/** One item of a list in a text: from the comments before it to the end of its last line, line break included. */
interface Chunk {
  readonly start: number;
  readonly end: number;
  readonly column: number;
  readonly node: Node;
}

/**
 * The edits that make a list of rules what it is to be. Rules that stay keep their bytes and the comments before them, wherever they
 * go. Undefined where the list is not written item by item on lines of its own.
 */
export function editRules(
  text: string,
  list: Node,
  items: readonly ItemEdit[],
): readonly TextEdit[] | undefined {
  const chunks = isSeq<Node>(list) && list.flow !== true ? chunksOf(text, list) : undefined;
  const [first] = chunks ?? [];
  const last = chunks?.at(-1);
  if (chunks === undefined || first === undefined || last === undefined || items.length === 0) {
    return undefined;
  }
  const stays =
    items.length === chunks.length && items.every((item, at) => item.kind !== 'insert' && item.index === at);
  if (stays) {
    const edits = items.map((item) => editsOf(text, chunks, item));
    return edits.some((one) => one === undefined) ? undefined : edits.flatMap((one) => one ?? []);
  }
  const written: string[] = [];
  for (const item of items) {
    const made = itemLines(text, chunks, item, first.column);
    if (made === undefined) {
      return undefined;
    }
    written.push(made);
  }
  const joined = written.join('');
  const keepsBreak = text.slice(first.start, last.end).endsWith('\n');
  return [{ start: first.start, end: last.end, text: keepsBreak ? joined : joined.replace(/\n$/u, '') }];
}

function editsOf(text: string, chunks: readonly Chunk[], item: ItemEdit): readonly TextEdit[] | undefined {
  if (item.kind !== 'edit') {
    return [];
  }
  const { index, value, wanted, keys, notes } = item;
  const chunk = chunks[index];
  if (chunk === undefined) {
    return undefined;
  }
  const made = isMap<Node, Node | null>(chunk.node)
    ? editMap({ text, map: chunk.node, value, wanted, keys, notes })
    : undefined;
  // What cannot be edited is written anew behind its dash; the comments before it stay, and those in it join them.
  const start = lineStart(text, chunk.node.range?.[0] ?? 0) + chunk.column;
  const end = contentEnd(text, chunk.node);
  const fresh = itemText(wanted, notes, chunk.column);
  return made ?? [{ start, end, text: withKeptComments(fresh, text.slice(start, end), chunk.column) }];
}

function itemLines(
  text: string,
  chunks: readonly Chunk[],
  item: ItemEdit,
  column: number,
): string | undefined {
  if (item.kind === 'insert') {
    return `${' '.repeat(column)}${itemText(item.wanted, item.notes, column)}\n`;
  }
  const chunk = chunks[item.index];
  const edits = editsOf(text, chunks, item);
  if (chunk === undefined || edits === undefined) {
    return undefined;
  }
  const moved = edits.map((edit) => ({
    ...edit,
    start: edit.start - chunk.start,
    end: edit.end - chunk.start,
  }));
  const lines = applyEdits(text.slice(chunk.start, chunk.end), moved);
  return lines.endsWith('\n') ? lines : `${lines}\n`;
}

function chunksOf(text: string, list: YAMLSeq<Node>): readonly Chunk[] | undefined {
  const chunks: Chunk[] = [];
  let floor = 0;
  for (const node of list.items) {
    const at = node.range?.[0] ?? 0;
    const line = lineStart(text, at);
    const dash = /^ *(?=- +$)/u.exec(text.slice(line, at));
    if (dash === null) {
      return undefined;
    }
    const end = Math.min(lineEnd(text, contentEnd(text, node)) + 1, text.length);
    chunks.push({ start: commentsBefore(text, line, floor), end, column: dash[0].length, node });
    floor = end;
  }
  return chunks.map((chunk, index) => ({ ...chunk, end: chunks[index + 1]?.start ?? chunk.end }));
}
