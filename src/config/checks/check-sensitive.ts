import type { Diagnostic } from '../../model/index.ts';
import { isJsonArray, isJsonObject } from '../../data/index.ts';
import type { JsonValue } from '../../data/index.ts';
import { HIDDEN_TEXTS, isHidden, phaseFacts, referencesIn, actionKind } from '../../model/index.ts';
import { finding } from '../source/finding.ts';
import type { DeclaredRule, DeclaredRuleset } from '../project/scope-file.ts';
import { locateValue } from '../yaml/yaml-document.ts';
import type { ValuePath } from '../yaml/yaml-document.ts';

/** Members of a rule that are sent as action parameters. */
const PARAMETERS = ['action_parameters', 'extra_parameters'];

/** Reports a rule that would disclose a sensitive value, or that contains the mark printed in place of a hidden value. */
export function checkSensitive(ruleset: DeclaredRuleset, rule: DeclaredRule): readonly Diagnostic[] {
  return [...checkShown(ruleset, rule), ...checkHidden(ruleset, rule)];
}

/** Reports sensitive values that a response would show to every visitor: a mistake, or an attempt to read them. */
function checkShown(
  { document, address }: DeclaredRuleset,
  { path, value }: DeclaredRule,
): readonly Diagnostic[] {
  return phaseFacts(address.phase)?.isShownToVisitors === true || actionKind(value['action']) === 'block'
    ? PARAMETERS.flatMap((key) => textsThat(hasValue, value[key] ?? null, [...path, key])).map((at) =>
        finding('variable/sensitive', {
          message: 'this would tell every visitor the sensitive value',
          hint: 'take a variable that is not sensitive; secrets belong to requests to the origin, or to what requests are compared with',
          where: locateValue(document, at),
        }),
      )
    : [];
}

/**
 * Reports marks that `versions --show` and plans print in place of a hidden value, where somebody copied one into a file: they stand for no value
 * that could be written.
 */
function checkHidden({ document }: DeclaredRuleset, { path, value }: DeclaredRule): readonly Diagnostic[] {
  return HIDDEN_TEXTS.flatMap((mark) =>
    textsThat((text) => text.includes(mark), value, path).map((at) =>
      finding('variable/sensitive', {
        message: `\`${mark}\` stands for a value that is not shown; it is not a value itself`,
        hint: 'write the sensitive variable, as in `${name}`',
        where: locateValue(document, at),
      }),
    ),
  );
}

/** Returns the paths of the texts in a value that satisfy a predicate. */
function textsThat(is: (text: string) => boolean, value: JsonValue, path: ValuePath): readonly ValuePath[] {
  if (typeof value === 'string') {
    return is(value) ? [path] : [];
  }
  if (isJsonArray(value)) {
    return value.flatMap((item, index) => textsThat(is, item, [...path, index]));
  }
  return isJsonObject(value)
    ? Object.entries(value).flatMap(([key, member]) => textsThat(is, member, [...path, key]))
    : [];
}

function hasValue(text: string): boolean {
  return referencesIn(text).some((reference) => !isHidden(reference));
}
