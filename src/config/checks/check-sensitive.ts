import type { Diagnostic } from '../../model/diagnostic.ts';
import { isJsonArray, isJsonObject } from '../../model/json.ts';
import type { JsonValue } from '../../model/json.ts';
import { HIDDEN_TEXTS, isHidden, referencesIn } from '../../model/sensitive.ts';
import { finding } from '../source/finding.ts';
import type { DeclaredRule, DeclaredRuleset } from '../project/scope-file.ts';
import { locateValue } from '../yaml/yaml-document.ts';
import type { ValuePath } from '../yaml/yaml-document.ts';

/** Phases of which the parameters of rules go to whoever sent the request: headers, pages, places to go to. */
const SHOWN: ReadonlySet<string> = new Set([
  'http_response_headers_transform',
  'http_custom_errors',
  'http_request_dynamic_redirect',
]);

/** Both are sent as the parameters of the action. */
const PARAMETERS = ['action_parameters', 'extra_parameters'];

/** Where a rule would tell a sensitive value, or has what stands for one in what we print. */
export function checkSensitive(ruleset: DeclaredRuleset, rule: DeclaredRule): readonly Diagnostic[] {
  return [...checkShown(ruleset, rule), ...checkHidden(ruleset, rule)];
}

/** Sensitive values that a response would tell every visitor: a mistake, or somebody who wants to read them. */
function checkShown(
  { document, address }: DeclaredRuleset,
  { path, value }: DeclaredRule,
): readonly Diagnostic[] {
  return SHOWN.has(address.phase) || value['action'] === 'block'
    ? PARAMETERS.flatMap((key) => textsThat(hasValue, value[key] ?? null, [...path, key])).map((at) =>
        finding('variable/sensitive', {
          message: 'this would tell every visitor the sensitive value',
          hint: 'take a variable that is not sensitive; secrets belong to requests to the origin, or to what requests are compared with',
          where: locateValue(document, at),
        }),
      )
    : [];
}

/** What `versions --show` and plans print where a value is not told, and somebody copied. Nothing could write it. */
function checkHidden({ document }: DeclaredRuleset, { path, value }: DeclaredRule): readonly Diagnostic[] {
  return HIDDEN_TEXTS.flatMap((mark) =>
    textsThat((text) => text.includes(mark), value, path).map((at) =>
      finding('variable/sensitive', {
        message: `\`${mark}\` stands for a value that is not shown; it is no value itself`,
        hint: 'write the sensitive variable, as in `${name}`',
        where: locateValue(document, at),
      }),
    ),
  );
}

/** Where a value has texts of a kind. */
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
