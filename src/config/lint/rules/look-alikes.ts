import { lookAlikesIn } from '../../../expression/index.ts';
import type { Diagnostic } from '../../../model/diagnostic.ts';
import { finding } from '../../source/finding.ts';
import type { DeclaredRule, DeclaredRuleset } from '../../project/scope-file.ts';
import { locateValue } from '../../yaml/yaml-document.ts';

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
