import { groupBy } from '../../model/group-by.ts';
import { causeText, startOf } from '../../model/source.ts';
import { placedComments } from '../format/comments-of.ts';
import { spanAt } from '../source/source-text.ts';
import { nodeAt } from '../yaml/yaml-document.ts';
import type { YamlDocument } from '../yaml/yaml-document.ts';
import { commentsBefore, contentEnd, endWithComments, lineStart } from './content-end.ts';
import type { RulesetEdit } from './desired-file.ts';
import { isAboutParameter, LIVE_ONLY } from './rule-document.ts';

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
