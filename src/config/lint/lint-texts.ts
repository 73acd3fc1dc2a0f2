import { FIELDS, FUNCTIONS, parseExpression, lookAlikesIn } from '../../expression/index.ts';
import type { Diagnostic, RuleOwnership } from '../../model/index.ts';
import { finding } from '../source/finding.ts';
import type { DeclaredRule, DeclaredRuleset } from '../project/scope-file.ts';
import { expressionsIn, plainSecrets } from '../../model/index.ts';
import { commentBehind } from '../yaml/suppression-comments.ts';
import type { ValuePath } from '../yaml/yaml-document.ts';
import { locateValue, locateKey } from '../yaml/yaml-document.ts';

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

/**
 * Invisible characters that prose does not need. It may need unusual blanks, joiners in words and emoji, direction marks, and flags, which end in
 * invisible letters; `yaml/text-direction` reports direction overrides.
 */
const HIDDEN =
  /(?<!\u{1f3f4}[\u{e0020}-\u{e007e}]*)(?![\u061c\u200c-\u200f\u202a-\u202e\u2066-\u2069])[\p{Cf}\u2800]/gu;

/**
 * Reports names and descriptions that a reviewer would misread, each with its first slip. Those of expressions are reported where expressions are
 * checked.
 */
export function lintLookAlikes({ document }: DeclaredRuleset, rule: DeclaredRule): readonly Diagnostic[] {
  return (['ref', 'description'] as const).flatMap((key) => {
    const text = rule.value[key];
    const [first] = typeof text === 'string' ? lookAlikesIn(text, key === 'ref' ? undefined : HIDDEN) : [];
    return first === undefined
      ? []
      : [
          finding('lint/look-alike', {
            message: `${first.message}, in the ${key}`,
            hint: 'retype the text; if it is intended, suppress this with a comment that says so',
            where: locateValue(document, [...rule.path, key]),
          }),
        ];
  });
}

/**
 * Reports rules without `ref` and `id`, once per ruleset: such rules are matched by their content, so that editing two of them at once becomes a
 * deletion and a new rule. Under ownership patterns, a missing `ref` is an error of its own.
 */
export function lintNames(ruleset: DeclaredRuleset, ownership: RuleOwnership): readonly Diagnostic[] {
  const nameless = ruleset.rules.filter(
    ({ value }) => value['ref'] === undefined && value['id'] === undefined,
  );
  const [first] = nameless;
  if (first === undefined || ownership.kind === 'patterns') {
    return [];
  }
  const more = nameless.length - 1;
  return [
    finding('lint/missing-ref', {
      message: `the rule has no \`ref\`${more === 0 ? '' : `, and ${more} more of this ruleset have none`}`,
      hint: 'give it a `ref`, so that it is recognised whatever changes in it, and keeps its id',
      where: locateKey(ruleset.document, first.path),
    }),
  ];
}

/** Reports what looks like a secret and can be read by everybody who can read the files. */
export function lintSecrets(
  { document, address }: DeclaredRuleset,
  { path, value }: DeclaredRule,
): readonly Diagnostic[] {
  return plainSecrets(address.phase, value).map(({ what, path: inRule }) =>
    finding('lint/plain-secret', {
      message: `${what} looks like a secret, and is here in clear text`,
      hint: 'make it a sensitive variable, and change the value if others could read this file',
      where: locateValue(document, [...path, ...inRule]),
    }),
  );
}
