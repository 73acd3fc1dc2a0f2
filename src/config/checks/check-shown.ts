import type { Diagnostic } from '../../model/diagnostic.ts';
import { isJsonArray, isJsonObject } from '../../model/json.ts';
import type { JsonValue } from '../../model/json.ts';
import { referencesIn } from '../../model/sensitive.ts';
import { finding } from '../finding.ts';
import type { DeclaredRule, DeclaredRuleset } from '../project/scope-file.ts';
import { locateValue } from '../yaml/yaml-document.ts';
import type { ValuePath } from '../yaml/yaml-document.ts';

/** Phases of which the parameters of rules go to whoever sent the request: headers, pages, places to go to. */
const SHOWN: ReadonlySet<string> = new Set([
  'http_response_headers_transform',
  'http_custom_errors',
  'http_request_dynamic_redirect',
]);

/** Sensitive values that a response would tell every visitor: a mistake, or somebody who wants to read them. */
export function checkShown(
  { document, address }: DeclaredRuleset,
  { path, value }: DeclaredRule,
): readonly Diagnostic[] {
  const { action, action_parameters: parameters } = value;
  return parameters !== undefined && (SHOWN.has(address.phase) || action === 'block')
    ? sensitiveTexts(parameters, ['action_parameters']).map((inRule) =>
        finding('variable/sensitive', {
          message: 'this would tell every visitor the sensitive value',
          hint: 'take a variable that is not sensitive; secrets belong to requests to the origin, or to what requests are compared with',
          where: locateValue(document, [...path, ...inRule]),
        }),
      )
    : [];
}

/** Where a value holds references to sensitive values. */
function sensitiveTexts(value: JsonValue, path: ValuePath): readonly ValuePath[] {
  if (typeof value === 'string') {
    return referencesIn(value).length > 0 ? [path] : [];
  }
  if (isJsonArray(value)) {
    return value.flatMap((item, index) => sensitiveTexts(item, [...path, index]));
  }
  return isJsonObject(value)
    ? Object.entries(value).flatMap(([key, member]) => sensitiveTexts(member, [...path, key]))
    : [];
}
