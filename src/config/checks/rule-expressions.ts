import { isJsonObject } from '../../model/json.ts';
import type { JsonObject, JsonValue } from '../../model/json.ts';
import type { ValuePath } from '../yaml/yaml-document.ts';
import type { ExpressionRole } from './expression-checker.ts';

/** An expression inside of a rule. */
export interface RuleExpression {
  /** Path from the rule. */
  readonly path: ValuePath;
  readonly text: string;
  readonly role: ExpressionRole;
}

/** Places of expressions in a rule (api.md 3.2, 3.4, 5); `*` is any key. */
const PLACES: readonly (readonly [role: ExpressionRole, path: string])[] = [
  ['filter', 'expression'],
  ['filter', 'ratelimit/counting_expression'],
  ['value', 'exposed_credential_check/username_expression'],
  ['value', 'exposed_credential_check/password_expression'],
  ['value', 'action_parameters/uri/path/expression'],
  ['value', 'action_parameters/uri/query/expression'],
  ['value', 'action_parameters/headers/*/expression'],
  ['value', 'action_parameters/from_value/target_url/expression'],
  ['value', 'action_parameters/from_list/key'],
  ['value', 'action_parameters/expression'],
];

/** Every expression of a rule. */
export function expressionsIn(rule: JsonObject): readonly RuleExpression[] {
  return PLACES.flatMap(([role, place]) =>
    textsAt(rule, place.split('/')).map(({ path, text }) => ({ path, text, role })),
  );
}

function textsAt(
  value: JsonValue | undefined,
  place: readonly string[],
): readonly { readonly path: ValuePath; readonly text: string }[] {
  const [key, ...rest] = place;
  if (key === undefined) {
    return typeof value === 'string' ? [{ path: [], text: value }] : [];
  }
  if (!isJsonObject(value)) {
    return [];
  }
  const keys = key === '*' ? Object.keys(value) : Object.hasOwn(value, key) ? [key] : [];
  return keys.flatMap((name) =>
    textsAt(value[name], rest).map(({ path, text }) => ({ path: [name, ...path], text })),
  );
}
