import { FIELDS, FUNCTIONS, parseExpression } from '../../../expression/index.ts';
import type { Diagnostic } from '../../../model/diagnostic.ts';
import { finding } from '../../source/finding.ts';
import type { DeclaredRule, DeclaredRuleset } from '../../project/scope-file.ts';
import { expressionsIn } from '../../../model/rule-expressions.ts';
import { commentBehind } from '../../yaml/comment-behind.ts';
import type { ValuePath } from '../../yaml/yaml-document.ts';

/**
 * Reports texts without quotes that are still valid after YAML took their rest for a comment: conditions, and descriptions cut before a ` #5`.
 */
export function lintCutTexts({ document }: DeclaredRuleset, rule: DeclaredRule): readonly Diagnostic[] {
  const cutAt = (path: ValuePath, isRest: (comment: string) => boolean): readonly Diagnostic[] => {
    const comment = commentBehind(document, [...rule.path, ...path]);
    return comment === undefined || !isRest(comment.text.slice(1))
      ? []
      : [
          finding('lint/cut-text', {
            message: `YAML reads this as a comment, so the ${String(path.at(-1))} ends before it`,
            hint: 'put the whole text in single quotes; if it is meant as a comment, put it above the line',
            where: comment.where,
          }),
        ];
  };
  return [
    ...cutAt(['description'], (comment) => /^\d/u.test(comment)),
    ...expressionsIn(rule.value).flatMap(({ path, text }) =>
      cutAt(path, (comment) => isRestOf(text, comment)),
    ),
  ];
}

const JOINER = /^\s*(?:and|or|xor|&&|\|\||\^\^)(?!\w)/u;
/** The start of a condition up to its first name, and the parenthesis of a call. */
const NAME = /^(?:\s|not\b|!|\()*([\w.]+)(\(?)/u;
/** What may follow the field that a condition begins with. */
const BEHIND_FIELD =
  /^(?:\[|\s*(?:$|[)=!<>~]|(?:eq|ne|l[te]|g[te]|in|contains|matches|wildcard|strict|and|or|xor)\b))/u;

/**
 * Whether a comment continues a condition: it begins with a joining operator, and either it goes on as only a condition begins, or text and
 * comment together parse.
 */
function isRestOf(text: string, comment: string): boolean {
  const [joiner] = JOINER.exec(comment) ?? [];
  if (joiner === undefined) {
    return false;
  }
  const joined = comment.slice(joiner.length);
  const [start = '', name = '', parenthesis] = NAME.exec(joined) ?? [];
  const isTest =
    parenthesis === '('
      ? FUNCTIONS.has(name)
      : FIELDS.has(name) && name.includes('.') && BEHIND_FIELD.test(joined.slice(start.length));
  return isTest || parseExpression(`${text} ${comment}`).ok;
}
