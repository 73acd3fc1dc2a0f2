import { isJsonArray, isJsonObject } from '../../model/json.ts';
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

/** Places of expressions in a rule (api.md 3.2, 3.4, 5); `*` is any key or number. */
const PLACES: readonly (readonly [role: ExpressionRole, path: string])[] = [
  ['filter', 'expression'],
  ['counting', 'ratelimit/counting_expression'],
  ['characteristic', 'ratelimit/characteristics/*'],
  ['text', 'exposed_credential_check/username_expression'],
  ['text', 'exposed_credential_check/password_expression'],
  ['text', 'action_parameters/uri/path/expression'],
  ['text', 'action_parameters/uri/query/expression'],
  ['text', 'action_parameters/headers/*/expression'],
  ['text', 'action_parameters/from_value/target_url/expression'],
  ['text', 'action_parameters/from_list/key'],
  ['texts', 'action_parameters/expression'],
];

const PATTERNS = PLACES.map(([role, path]) => ({ role, keys: path.split('/') }));

/** What the text at a path from the rule is as an expression; undefined when it is none. */
export function roleAt(path: ValuePath): ExpressionRole | undefined {
  return PATTERNS.find(
    ({ keys }) => keys.length === path.length && keys.every((key, at) => key === '*' || key === path[at]),
  )?.role;
}

/** Every expression of a rule. */
export function expressionsIn(rule: JsonObject): readonly RuleExpression[] {
  return PATTERNS.flatMap(({ role, keys }) =>
    textsAt(rule, keys).map(({ path, text }) => ({ path, text, role })),
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
  return childrenOf(value, key).flatMap(([name, child]) =>
    textsAt(child, rest).map(({ path, text }) => ({ path: [name, ...path], text })),
  );
}

function childrenOf(
  value: JsonValue | undefined,
  key: string,
): readonly (readonly [string | number, JsonValue | undefined])[] {
  if (isJsonArray(value)) {
    return key === '*' ? [...value.entries()] : [];
  }
  if (!isJsonObject(value)) {
    return [];
  }
  if (key === '*') {
    return Object.entries(value);
  }
  return Object.hasOwn(value, key) ? [[key, value[key]]] : [];
}
