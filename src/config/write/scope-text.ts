import { isMap, isNode, isPair, isScalar, isSeq } from 'yaml';
import type { Document, Node } from 'yaml';

import type { JsonObject } from '../../model/json.ts';
import { newDocument, writeDocument } from '../format/yaml-style.ts';
import type { ValuePath } from '../yaml/yaml-document.ts';

/** A comment for people, at a place in a document. */
export interface FileNote {
  readonly path: ValuePath;
  readonly text: string;
  /** On lines of its own before what the path names, or behind a value on its line. */
  readonly place: 'before' | 'behind';
}

/** A document of ours as text, with its comments; `head` lines begin it, `foot` lines end it. */
export function documentText(
  value: JsonObject,
  notes: readonly FileNote[],
  { head = [], foot = [] }: { readonly head?: readonly string[]; readonly foot?: readonly string[] } = {},
): string {
  return [...head.map(commentLine), ...documentLines(value, notes), ...foot.map(commentLine), ''].join('\n');
}

/** The lines of a document of ours, with its comments. Blanks at their ends can belong to a text of several lines. */
export function documentLines(value: JsonObject, notes: readonly FileNote[]): readonly string[] {
  const document = newDocument(value);
  for (const { path, text, place } of notes) {
    const node = place === 'before' ? keyOrItem(document, path) : nodeAt(document, path);
    if (node !== undefined && place === 'before') {
      node.commentBefore = joined(node.commentBefore, ` ${oneLine(text)}`);
    } else if (node !== undefined) {
      node.comment = ` ${oneLine(text)}`;
    }
  }
  return writeDocument(document).replace(/\n$/u, '').split('\n');
}

/** Text from elsewhere as a comment, or a part of one, that stays on its line. */
export function oneLine(text: string): string {
  return text.replaceAll(/[\p{C}\p{Zl}\p{Zp}]+/gu, ' ');
}

/** A text as a comment of one line. */
export function commentLine(text: string): string {
  return text === '' ? '' : `# ${oneLine(text)}`;
}

function joined(before: string | null | undefined, text: string): string {
  return before === null || before === undefined ? text : `${before}\n${text}`;
}

function nodeAt(document: Document, path: ValuePath): Node | undefined {
  const found: unknown = path.length === 0 ? document.contents : document.getIn(path, true);
  return isNode(found) ? found : undefined;
}

/** What a comment stands before: an item of a list, or the key of a pair. */
function keyOrItem(document: Document, path: ValuePath): Node | undefined {
  const parent = nodeAt(document, path.slice(0, -1));
  if (!isMap(parent) || path.length === 0) {
    return nodeAt(document, path);
  }
  const pair = parent.items.find(({ key }) => isScalar(key) && key.value === path.at(-1));
  const [first] = parent.items;
  const grand = nodeAt(document, path.slice(0, -2));
  // The first key of an item stands behind its dash, and a comment would part them.
  if (pair === first && isSeq(grand)) {
    return parent;
  }
  return isPair(pair) && isNode(pair.key) ? pair.key : undefined;
}
