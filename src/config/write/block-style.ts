import { isAlias, isCollection, isMap, isNode, isScalar, visit } from 'yaml';
import type { Document, Node, Pair, YAMLMap, YAMLSeq } from 'yaml';
import { jsonEqual } from '../../data/index.ts';
import { commentsOf, newDocument, readDocument, writeDocument } from '../format/yaml-style.ts';
import type { SourceText } from '../source/source-text.ts';
import { sourceText } from '../source/source-text.ts';
import { keyName } from '../yaml/yaml-document.ts';
import { parseYaml } from '../yaml/parse-yaml.ts';
import type { ValuePath } from '../yaml/yaml-document.ts';
import { lineEnd, lineStart } from './content-end.ts';

/**
 * Returns a file in which the list at a path, its items, and the collections around it stand on lines of their own instead of in braces and
 * brackets; deeper values stay as they are. Undefined where that is so already, and where the result would not say the same with every comment.
 */
export function inBlockStyle(source: SourceText, path: ValuePath): string | undefined {
  const text = converted(source.text, path);
  return text !== undefined && saysTheSame(source, text) ? text : undefined;
}

function converted(source: string, path: ValuePath, opening = ''): string | undefined {
  const document = readDocument(source);
  const way = path.map((_, at) => collectionAt(document, path.slice(0, at + 1)));
  const outermost = way.findIndex((node) => node?.flow === true);
  const node = way[outermost];
  const list = way.at(-1);
  if (node === undefined || list === undefined || node.items.length === 0 || isShared(node)) {
    return undefined;
  }
  const key = holderOf(document, path.slice(0, outermost + 1));
  const comment = key === null ? undefined : openingComment(node, source);
  if (comment !== undefined) {
    return converted(source.slice(0, comment.start) + source.slice(comment.end), path, comment.text);
  }
  leaveOutside(node, source);
  passToLast(list);
  for (const one of [...way.slice(outermost), ...list.items]) {
    if (isCollection(one) && one.items.length > 0) {
      one.flow = false;
      commentFirst(one);
    }
  }
  return replaced(source, node, { key, opening });
}

/**
 * Returns the comment behind the opening bracket, which is about the whole value and moves behind the key; undefined where there is none, or
 * where another comment stands behind the closing bracket.
 */
function openingComment(
  node: YAMLMap | YAMLSeq,
  text: string,
): { readonly start: number; readonly end: number; readonly text: string } | undefined {
  const [from = 0, close = 0] = node.range ?? [];
  const [start, end] = [from + 1, lineEnd(text, from)];
  const comment = text.slice(start, end).trim();
  const isAlone = !text.slice(close, lineEnd(text, close)).includes('#');
  return comment.startsWith('#') && isAlone ? { start, end, text: comment } : undefined;
}

/** Detaches the comments before a value and behind its closing bracket, which the library counts as the value's own: they stay where they are. */
function leaveOutside(node: YAMLMap | YAMLSeq, text: string): void {
  const end = node.range?.[1] ?? 0;
  const behind = text.slice(end, lineEnd(text, end)).trim();
  const inside = (node.comment ?? '').split('\n');
  if (behind.startsWith('#') && inside.at(-1)?.trim() === behind.slice(1).trim()) {
    inside.pop();
  }
  node.commentBefore = null;
  node.comment = inside.length === 0 || inside.join('') === '' ? null : inside.join('\n');
}

/** Gives the last item of a bracketed list the comment behind it, which the library counts as the list's. */
function passToLast(list: YAMLMap | YAMLSeq): void {
  const last = list.items.at(-1);
  if (isCollection(last) && list.flow === true) {
    last.comment = joined(last.comment, list.comment);
    list.comment = null;
  }
}

/** Moves a comment at the end of a collection to its start: behind lines of its own, it would be read as a comment of what comes next. */
function commentFirst(node: YAMLMap | YAMLSeq): void {
  node.commentBefore = joined(node.commentBefore, node.comment);
  node.comment = null;
}

function joined(...comments: readonly (string | null | undefined)[]): string | null {
  const texts = comments.filter((text) => typeof text === 'string');
  return texts.length === 0 ? null : texts.join('\n');
}

function collectionAt(document: Document, path: ValuePath): YAMLMap | YAMLSeq | undefined {
  const node: unknown = document.getIn(path, true);
  return isCollection(node) ? node : undefined;
}

/** Returns the key of a value; null for an item of a list. */
function holderOf(document: Document, path: ValuePath): Node | null {
  const parent: unknown = path.length === 1 ? document.contents : document.getIn(path.slice(0, -1), true);
  const pair = isMap<Node, Node | null>(parent)
    ? parent.items.find((one: Pair<Node, Node | null>) => keyName(one.key) === path.at(-1))
    : undefined;
  return pair?.key ?? null;
}

/** Whether a value holds aliases or anchors: an alias would lose its anchor, or an anchor its aliases. */
function isShared(node: Node): boolean {
  let shared = false;
  visit(node, (_, one) => {
    shared ||= isAlias(one) || ((isScalar(one) || isCollection(one)) && one.anchor !== undefined);
  });
  return shared;
}

function replaced(
  text: string,
  node: YAMLMap | YAMLSeq,
  { key, opening }: { readonly key: Node | null; readonly opening: string },
): string | undefined {
  const [start, end] = node.range ?? [];
  const from = key === null ? start : key.range?.[0];
  if (start === undefined || end === undefined || from === undefined) {
    return undefined;
  }
  const part = newDocument(null);
  part.contents = isNode(node) ? node : null;
  const column = from - lineStart(text, from) + (key === null ? 0 : 2);
  const lines = writeDocument(part)
    .replace(/\n$/u, '')
    .split('\n')
    .map((line) => (line === '' ? '' : ' '.repeat(column) + line));
  const close = lineEnd(text, end);
  const before = text.slice(0, start);
  const behind = opening === '' ? text.slice(end, close).trim() : opening;
  const head = key === null ? before : `${before.trimEnd()}${behind === '' ? '' : ` ${behind}`}\n`;
  const body = key === null ? lines.join('\n').trimStart() : lines.join('\n');
  const tail = key === null && behind !== '' ? text.slice(end, close) : '';
  return `${head}${body}${tail}${text.slice(close)}`;
}

function saysTheSame(source: SourceText, text: string): boolean {
  const before = parseYaml(source).document;
  const after = parseYaml(sourceText(source.path, text)).document;
  return (
    before !== undefined &&
    after !== undefined &&
    jsonEqual(before.value, after.value) &&
    jsonEqual(commentsOf(source.text), commentsOf(text))
  );
}
