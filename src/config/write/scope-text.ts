import { isMap, isNode, isPair, isScalar, isSeq } from 'yaml';
import type { Document, Node } from 'yaml';
import type { JsonObject } from '../../data/index.ts';
import { newDocument, writeDocument } from '../format/yaml-style.ts';
import type { ValuePath } from '../yaml/yaml-document.ts';

/** A comment for people, at a place in a document. */
export interface FileNote {
  readonly path: ValuePath;
  readonly text: string;
  /** `before`: on lines of its own before what the path names; `behind`: on the line of a value, behind it. */
  readonly place: 'before' | 'behind';
}

/** Returns a document as text, with its comments; `head` lines begin it, `foot` lines end it. */
export function documentText(
  value: JsonObject,
  notes: readonly FileNote[],
  { head = [], foot = [] }: { readonly head?: readonly string[]; readonly foot?: readonly string[] } = {},
): string {
  return [...head.map(commentLine), ...documentLines(value, notes), ...foot.map(commentLine), ''].join('\n');
}

/** Returns the lines of a document, with its comments. Trailing blanks can belong to a text of several lines, and stay. */
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

/** Makes text from elsewhere safe for a comment: it stays on one line. */
export function oneLine(text: string): string {
  return text.replaceAll(/[\p{C}\p{Zl}\p{Zp}]+/gu, ' ');
}

/** Returns a text as a comment of one line. */
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

/** Returns the node that a comment stands before: an item of a list, or the key of a pair. */
function keyOrItem(document: Document, path: ValuePath): Node | undefined {
  const parent = nodeAt(document, path.slice(0, -1));
  if (!isMap(parent) || path.length === 0) {
    return nodeAt(document, path);
  }
  const pair = parent.items.find(({ key }) => isScalar(key) && key.value === path.at(-1));
  const [first] = parent.items;
  const grand = nodeAt(document, path.slice(0, -2));
  // The first key of an item follows its dash, and a comment would separate the two.
  if (pair === first && isSeq(grand)) {
    return parent;
  }
  return isPair(pair) && isNode(pair.key) ? pair.key : undefined;
}
