import { isAlias, isCollection } from 'yaml';
import type { Node, YAMLSeq } from 'yaml';
import type { JsonValue } from '../../data/index.ts';
import { allPlaced, applyEdits } from '../source/source-text.ts';
import type { TextEdit } from '../source/source-text.ts';
import { commentsBefore, contentEnd, endWithComments, lineStart } from './content-end.ts';
import { editEntries, flowEntries, flowText } from './edit-flow.ts';
import type { ItemEdit } from './desired-file.ts';
import { freshItem, withKeptComments, writeInFlow } from './write-anew.ts';
import type { EditValue, ValueEdit } from './value-edit.ts';

/** What is known about a list whose items change. */
interface SequencePlace extends Pick<ValueEdit, 'text' | 'followers'> {
  readonly now: readonly JsonValue[];
}

/**
 * Returns the edits that turn a list into the wanted one. Items that stay keep their bytes and the comments before them, wherever they move.
 * Undefined where the edits cannot be placed in the list as it is written.
 */
export function editItems(
  list: YAMLSeq<Node>,
  place: SequencePlace,
  items: readonly ItemEdit[],
  editValue: EditValue,
): readonly TextEdit[] | undefined {
  if (list.flow === true) {
    return inBrackets(list, place, items, editValue);
  }
  const { text } = place;
  const chunks = chunksOf(text, list);
  const [first] = chunks ?? [];
  const last = chunks?.at(-1);
  if (chunks === undefined || first === undefined || last === undefined || items.length === 0) {
    return undefined;
  }
  const made = (item: ItemEdit): readonly TextEdit[] | undefined => editsOf(place, chunks, item, editValue);
  const stays =
    items.length === chunks.length && items.every((item, at) => item.kind !== 'insert' && item.index === at);
  if (stays) {
    const edits = items.map(made);
    return allPlaced(edits);
  }
  const style = chunks.every(({ node }) => !isCollection(node) || node.flow === true) ? 'flow' : 'block';
  const left = headingsLeft(text, chunks, items);
  const written: string[] = [];
  for (const item of items) {
    const lines =
      item.kind === 'insert'
        ? `${' '.repeat(first.column)}${freshItem({ ...item, value: item.wanted }, first.column, style)}\n`
        : chunkLines(text, chunks[item.index], made(item));
    if (lines === undefined) {
      return undefined;
    }
    written.push(item.kind === 'insert' ? lines : `${left.get(item.index) ?? ''}${lines}`);
  }
  const joined = `${written.join('')}${left.get(chunks.length) ?? ''}`;
  const keepsBreak = text.slice(first.start, last.end).endsWith('\n');
  return [{ start: first.start, end: last.end, text: keepsBreak ? joined : joined.replace(/\r?\n$/u, '') }];
}

/** Returns the headings of items that go. A heading stays in its place: before the next item that stays, by whose index it is returned. */
function headingsLeft(
  text: string,
  chunks: readonly Chunk[],
  items: readonly ItemEdit[],
): ReadonlyMap<number, string> {
  const stays = new Set(items.flatMap((item) => (item.kind === 'insert' ? [] : [item.index])));
  const left = new Map<number, string>();
  let waiting = '';
  for (const [index, { start, own }] of chunks.entries()) {
    waiting += stays.has(index) ? '' : text.slice(start, own);
    if (stays.has(index)) {
      left.set(index, waiting);
      waiting = '';
    }
  }
  return left.set(chunks.length, waiting);
}

function editsOf(
  { text, now, followers }: SequencePlace,
  chunks: readonly Chunk[],
  item: ItemEdit,
  editValue: EditValue,
): readonly TextEdit[] | undefined {
  const chunk = item.kind === 'edit' ? chunks[item.index] : undefined;
  if (item.kind !== 'edit' || chunk === undefined) {
    return item.kind === 'edit' ? undefined : [];
  }
  const { wanted: next, notes } = item;
  const { node, dash, column } = chunk;
  const made = editValue(node, { text, now: now[item.index] ?? null, next, notes, followers });
  if (made !== undefined) {
    return made;
  }
  // An item that cannot be edited is written anew behind its dash; the comments before it stay, and the comments in it join them.
  const end = contentEnd(text, node);
  const anchor = isAlias(node) ? undefined : node.anchor;
  const fresh = freshItem({ value: next, notes, anchor }, column, 'block');
  return [{ start: dash, end, text: withKeptComments(fresh, text.slice(dash, end), column) }];
}

function chunkLines(
  text: string,
  chunk: Chunk | undefined,
  edits: readonly TextEdit[] | undefined,
): string | undefined {
  if (chunk === undefined || edits === undefined) {
    return undefined;
  }
  const moved = edits.map(({ start, end, text: fresh }) => ({
    start: start - chunk.start,
    end: end - chunk.start,
    text: fresh,
  }));
  const lines = applyEdits(text.slice(chunk.start, chunk.end), moved);
  return lines.endsWith('\n') ? lines : `${lines}\n`;
}

function inBrackets(
  list: YAMLSeq<Node>,
  { text, now, followers }: SequencePlace,
  items: readonly ItemEdit[],
  editValue: EditValue,
): readonly TextEdit[] | undefined {
  const entries = flowEntries(
    text,
    list.range?.[0] ?? 0,
    list.items.map((node) => contentEnd(text, node)),
  );
  const wanted = items.map((item) => (item.kind === 'insert' ? flowText(item.wanted) : item.index));
  const edits = [editEntries(text, entries, wanted)];
  for (const item of items) {
    const node = item.kind === 'edit' ? list.items[item.index] : undefined;
    if (item.kind === 'edit' && node !== undefined) {
      const { wanted: value, notes, index } = item;
      const inPlace = editValue(node, { text, now: now[index] ?? null, next: value, notes, followers });
      const anew = writeInFlow(text, node, { value, notes });
      edits.push(inPlace ?? (anew === undefined ? undefined : [anew]));
    }
  }
  return allPlaced(edits);
}

/** An item of a list in a text: from the comments before it to the end of its last line, including the line break. */
interface Chunk {
  /**
   * Start of the item's heading: comments that a blank line separates from the item, and the blank lines before them. Without a heading, the same
   * as `own`.
   */
  readonly start: number;
  /** Start of the comments directly before the item. */
  readonly own: number;
  readonly end: number;
  /** Offset of the item's dash. */
  readonly dash: number;
  readonly column: number;
  readonly node: Node;
}

/** A dash, and what may stand between it and its item: a tag, an anchor, comments, line breaks. */
const DASH = /^(?<indent> *)-(?=\s)(?:\s|[&!]\S+|#[^\n]*\n)*(?![^])/mu;

/** Returns the items of a list in block style; undefined where one of them has no dash of its own. */
function chunksOf(text: string, list: YAMLSeq<Node>): readonly Chunk[] | undefined {
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
    const own = commentsBefore(text, line, floor, column);
    const start = at > 0 && text.slice(floor, own).includes('#') ? floor : own;
    chunks.push({ start, own, end, dash: line + column, column, node });
    floor = end;
  }
  return chunks.map((chunk, index) => ({ ...chunk, end: chunks[index + 1]?.start ?? chunk.end }));
}
