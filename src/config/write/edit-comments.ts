import { isMap, isSeq } from 'yaml';
import type { Node } from 'yaml';

import type { TextEdit } from '../source/text-edit.ts';
import type { DeclaredRuleset } from '../project/scope-file.ts';
import { nodeAt } from '../yaml/yaml-document.ts';
import { commentsBefore, lineStart } from './content-end.ts';
import { LIVE_ONLY } from './rule-document.ts';
import type { FileNote } from './scope-text.ts';
import { commentLine } from './scope-text.ts';

/**
 * Returns the edits that update comments about fields that only live has, in rules that have such comments. A plan leaves those fields alone, so
 * nothing else would renew the comments.
 */
export function refreshComments(
  { document, path, rules }: DeclaredRuleset,
  notesOf: (ref: string) => readonly FileNote[] | undefined,
): readonly TextEdit[] {
  const { text } = document.source;
  const list = nodeAt(document, [...path, 'rules']);
  if (!isSeq<Node>(list) || list.flow === true) {
    return [];
  }
  return list.items.flatMap((node, index) => {
    const ref = rules[index]?.value['ref'];
    const notes = typeof ref === 'string' && isMap(node) ? notesOf(ref) : undefined;
    return notes === undefined ? [] : refresh(text, lineStart(text, node.range?.[0] ?? 0), notes);
  });
}

function refresh(text: string, line: number, notes: readonly FileNote[]): readonly TextEdit[] {
  const start = commentsBefore(text, line, 0);
  const comments = text.slice(start, line).split('\n').slice(0, -1);
  const ours = comments.filter(isOurs);
  const [first] = ours;
  if (first === undefined) {
    return [];
  }
  const indent = first.slice(0, first.indexOf('#'));
  const wanted = notes
    .filter((one) => one.path.length === 0 && one.text.startsWith(LIVE_ONLY))
    .map((one) => indent + commentLine(one.text));
  if (ours.length === wanted.length && ours.every((one, at) => one.trimEnd() === wanted[at])) {
    return [];
  }
  const lines = comments.flatMap((one) => (one === first ? wanted : isOurs(one) ? [] : [one]));
  return [{ start, end: line, text: lines.map((one) => `${one}\n`).join('') }];
}

function isOurs(line: string): boolean {
  return line.trimStart().startsWith(commentLine(LIVE_ONLY).trimEnd());
}
