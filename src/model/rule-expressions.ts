import { isJsonArray, isJsonObject } from '../data/index.ts';
import type { JsonObject, JsonValue } from '../data/index.ts';
import { isKnownAction } from './actions.ts';

/** The keys and indices that lead to a value. */
type ExpressionPath = readonly (string | number)[];

/**
 * What an expression is for: a condition, what a rate limit counts, a text that a rewrite or redirect
 * computes, a list of texts (cache tags), where a credential stands, or what a rate limit counts by.
 */
export type ExpressionRole = 'filter' | 'counting' | 'text' | 'texts' | 'credential' | 'characteristic';

/** Returns how an expression of a role is read: as a condition, or as a value. */
export function expressionMode(role: ExpressionRole): 'filter' | 'value' {
  return role === 'filter' || role === 'counting' ? 'filter' : 'value';
}

/** An expression inside a rule. */
export interface RuleExpression {
  /** Path from the rule. */
  readonly path: ExpressionPath;
  readonly text: string;
  readonly role: ExpressionRole;
}

/** Places of expressions in a rule (api.md 3.2, 3.4, 5); `*` is any key or index. */
const PLACES: readonly (readonly [role: ExpressionRole, path: string])[] = [
  ['filter', 'expression'],
  ['counting', 'ratelimit/counting_expression'],
  ['characteristic', 'ratelimit/characteristics/*'],
  ['credential', 'exposed_credential_check/username_expression'],
  ['credential', 'exposed_credential_check/password_expression'],
  ['text', 'action_parameters/uri/path/expression'],
  ['text', 'action_parameters/uri/query/expression'],
  ['text', 'action_parameters/headers/*/expression'],
  ['text', 'action_parameters/from_value/target_url/expression'],
  ['text', 'action_parameters/from_list/key'],
  ['texts', 'action_parameters/expression'],
];

const PATTERNS = PLACES.map(([role, path]) => ({ role, keys: path.split('/') }));

/** Returns the role of the text at a path from the rule; undefined when the text is not an expression. */
export function roleAt(path: ExpressionPath): ExpressionRole | undefined {
  return PATTERNS.find(
    ({ keys }) => keys.length === path.length && keys.every((key, at) => key === '*' || key === path[at]),
  )?.role;
}

/** A node of the tree of expression places, by the next key. */
interface ExpressionNode {
  role?: ExpressionRole;
  readonly next: Map<string, ExpressionNode>;
}

/** All places as one tree, so that only four keys of most rules are looked at. */
const TREE = treeOf(PATTERNS);

function treeOf(patterns: typeof PATTERNS): ExpressionNode {
  const root: ExpressionNode = { next: new Map() };
  for (const { role, keys } of patterns) {
    let place = root;
    for (const key of keys) {
      const next = place.next.get(key) ?? { next: new Map() };
      place.next.set(key, next);
      place = next;
    }
    place.role = role;
  }
  return root;
}

/**
 * Returns every expression of a rule. For an action that this version does not know, the meaning of the parameters is unknown, and they are left
 * out.
 */
export function expressionsIn(rule: JsonObject): readonly RuleExpression[] {
  const found: RuleExpression[] = [];
  collect(rule, TREE, [], found);
  const { action } = rule;
  return typeof action === 'string' && !isKnownAction(action)
    ? found.filter(({ path: [first] }) => first !== 'action_parameters')
    : found;
}

function collect(
  value: JsonValue | undefined,
  { role, next }: ExpressionNode,
  path: ExpressionPath,
  found: RuleExpression[],
): void {
  if (typeof value === 'string') {
    if (role !== undefined) {
      found.push({ path, text: value, role });
    }
  } else if (isJsonArray(value)) {
    const each = next.get('*');
    if (each !== undefined) {
      value.forEach((item, index) => collect(item, each, [...path, index], found));
    }
  } else if (isJsonObject(value)) {
    for (const [key, below] of next) {
      if (key === '*') {
        Object.keys(value).forEach((name) => collect(value[name], below, [...path, name], found));
      } else if (Object.hasOwn(value, key)) {
        collect(value[key], below, [...path, key], found);
      }
    }
  }
}
