import { isAlias } from 'yaml';
import type { Node, Pair } from 'yaml';
import type { JsonValue } from '../../data/index.ts';
import { isJsonObject } from '../../data/index.ts';
import type { TextEdit } from '../source/source-text.ts';
import { commentsInOrder, commentsOf } from '../format/yaml-style.ts';
import { contentEnd, endWithComments, lineStart } from './content-end.ts';
import { flowText } from './edit-flow.ts';
import type { FileNote } from './scope-text.ts';
import { oneLine } from './scope-text.ts';
import { itemText, pairText } from './snippet.ts';
import { isAboutParameter, isSuppression, LIVE_ONLY } from './ruleset-yaml.ts';

/** A value that replaces another one. */
interface FreshValue {
  readonly value: JsonValue;
  /** Comments about the value, with paths from its holder: a mapping, or the item itself. */
  readonly notes: readonly FileNote[];
  /** The name by which aliases refer to the value. */
  readonly anchor?: string | undefined;
}

/** Returns the edit that rewrites a value in flow style; undefined where that would lose a comment. */
export function writeInFlow(text: string, node: Node, { value, anchor }: FreshValue): TextEdit | undefined {
  const [start, end] = [node.range?.[0] ?? 0, contentEnd(text, node)];
  const name = anchor === undefined ? '' : `&${anchor} `;
  return commentsOf(text.slice(start, end)).length > 0
    ? undefined
    : { start, end, text: name + flowText(value) };
}

/** Returns the edit that rewrites the value of a key on lines of its own; comments that would be lost go before the key. */
export function writePair(
  text: string,
  { key, value: node }: Pair<Node, Node | null>,
  name: string,
  { value, notes, anchor }: FreshValue,
): TextEdit | undefined {
  const start = key.range?.[0];
  if (start === undefined || node === null || node.range === null || node.range === undefined) {
    return undefined;
  }
  // An anchor stands before the value, and stays there where only the value is replaced.
  const own = isAlias(node) ? undefined : node.anchor;
  const given = anchor ?? own;
  const column = start - lineStart(text, start);
  const plain = pairText(name, value, notes, column);
  const colon = flowText(name).length + 1;
  const fresh = given === undefined ? plain : `${plain.slice(0, colon)} &${given}${plain.slice(colon)}`;
  const end = contentEnd(text, node);
  if (!fresh.includes('\n') && !text.slice(start, end).includes('\n')) {
    return { start: node.range[0], end, text: (own === undefined ? fresh : plain).slice(colon + 1) };
  }
  const kept = withKeptComments(fresh, text.slice(start, end), column);
  if (!fresh.includes('\n')) {
    return { start, end, text: kept };
  }
  // Comments behind the old value, on its line and deeper on lines below, would become part of a new value of several lines.
  const rest = text.slice(end, endWithComments(text, end, column));
  const behind = rest.split('\n').flatMap((line) => (line.trim() === '' ? [] : [line.trim()]));
  return behind.length === 0
    ? { start, end, text: kept }
    : {
        start,
        end: end + rest.length,
        text: [...behind, kept].join(`\n${' '.repeat(column)}`),
      };
}

/** Returns an item of a list, from the column of its dash on, in a style of YAML: `flow` on one line, `block` on lines of its own. */
export function freshItem(
  { value, notes, anchor }: FreshValue,
  column: number,
  style: 'block' | 'flow',
): string {
  const name = anchor === undefined ? '' : `&${anchor}`;
  if (isJsonObject(value) && (style === 'block' || notes.some(({ text }) => isSuppression(text)))) {
    const lines = itemText(value, notes, column);
    return name === '' ? lines : `- ${name}\n${' '.repeat(column + 2)}${lines.slice(2)}`;
  }
  const behind = notes.flatMap((one) => (one.path.length === 0 ? [` # ${oneLine(one.text)}`] : []));
  return `- ${name === '' ? '' : `${name} `}${flowText(value)}${behind.join('')}`;
}

/** Returns the replacement of a text, with the comments that it would lose in front. */
export function withKeptComments(fresh: string, old: string, column: number): string {
  return (
    keptComments(fresh, old)
      .map((comment) => `${comment}\n${' '.repeat(column)}`)
      .join('') + fresh
  );
}

/**
 * Returns the comments of a text that its replacement lacks. Dropped are those that an import wrote about what it writes anew, and those behind
 * an id that is gone.
 */
export function keptComments(fresh: string, old: string): readonly string[] {
  const told = new Set(commentsInOrder(fresh));
  const lines = old.split('\n');
  return commentsInOrder(old).filter((comment) => {
    const line = lines.find((one) => one.trimEnd().endsWith(comment));
    const id = /\bid: *["']?(?<id>[0-9a-f]{32})/u.exec(line ?? '')?.groups?.['id'];
    const isGone = id !== undefined && !fresh.includes(id);
    return !told.has(comment) && !isGone && !isAboutParameter(comment) && !comment.includes(LIVE_ONLY.trim());
  });
}
