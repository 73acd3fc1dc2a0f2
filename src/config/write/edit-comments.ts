import { isMap, isSeq } from 'yaml';
import type { Node } from 'yaml';
import type { TextEdit } from '../source/source-text.ts';
import type { DeclaredRuleset } from '../project/scope-file.ts';
import { nodeAt } from '../yaml/yaml-document.ts';
import { groupBy } from '../../data/index.ts';
import { causeText, startOf } from '../../model/index.ts';
import { placedComments } from '../format/yaml-style.ts';
import { spanAt } from '../source/source-text.ts';
import type { YamlDocument } from '../yaml/yaml-document.ts';
import { commentsBefore, lineStart, contentEnd, endWithComments } from './content-end.ts';
import { LIVE_ONLY, isAboutParameter } from './ruleset-yaml.ts';
import type { FileNote } from './scope-text.ts';
import { commentLine } from './scope-text.ts';
import type { RulesetEdit } from './desired-file.ts';

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

/**
 * Returns the comments of a file that its edits have removed, each with its place. Comments of rules that are removed do not count, nor do those
 * that an import wrote about its own output.
 */
export function lostComments(
  document: YamlDocument,
  after: string,
  edits: readonly RulesetEdit[],
): readonly string[] {
  const { source } = document;
  const gone = edits.flatMap((edit) => stretchesGone(document, edit));
  const left = new Map(
    [...groupBy(placedComments(after), ({ text }) => text)].map(([text, all]) => [text, all.length]),
  );
  return placedComments(source.text).flatMap(({ text, start }) => {
    const isGone = gone.some((stretch) => stretch.start <= start && start < stretch.end);
    if (isGone || isAboutParameter(text) || text.includes(LIVE_ONLY.trim())) {
      return [];
    }
    const count = left.get(text) ?? 0;
    left.set(text, count - 1);
    return count > 0 ? [] : [`${causeText(startOf(spanAt(source, start, start)))}: the comment ${text}`];
  });
}

/** Returns the stretches of a file that are removed as a whole: a ruleset, or rules with the comments directly before them. */
function stretchesGone(document: YamlDocument, edit: RulesetEdit) {
  const { path, rules } = edit.ruleset;
  const { text } = document.source;
  const paths =
    edit.kind === 'remove'
      ? [path]
      : rules.flatMap((rule, at) =>
          edit.items.some((item) => item.kind !== 'insert' && item.index === at) ? [] : [rule.path],
        );
  return paths.flatMap((one) => {
    const node = nodeAt(document, one);
    if (node?.range === null || node?.range === undefined) {
      return [];
    }
    const line = lineStart(text, node.range[0]);
    const column = node.range[0] - line;
    return [
      {
        start: commentsBefore(text, line, 0, column),
        end: endWithComments(text, contentEnd(text, node), Math.max(0, column - 2)),
      },
    ];
  });
}
