import type { JsonObject, JsonValue } from '../../model/json.ts';
import { isJsonArray, isJsonObject, omit } from '../../model/json.ts';

/** `${name}`, which stands for a value of any type. */
const VARIABLE = '\\$\\{[A-Za-z_][A-Za-z0-9_]*\\}';

const IS_VARIABLE: JsonObject = { title: 'Variable', type: 'string', pattern: `^${VARIABLE}$` };

/** What says something about a value to people; it stays around the alternatives. */
const PROSE = ['title', 'description', 'markdownDescription', 'default'];

/**
 * A schema of rules as people write them: where a value that is no text must stand, a variable may. We check types after variables
 * are put in; editors see the files before.
 */
export function acceptVariables(schema: JsonObject): JsonObject {
  const { oneOf } = schema;
  const accepted = accept(schema);
  // Which parameters go with an action that a variable names is not known.
  return isJsonObject(accepted) && schema['discriminator'] !== undefined && isJsonArray(oneOf)
    ? {
        ...accepted,
        oneOf: [...oneOf, { title: 'Action of a variable', properties: { action: IS_VARIABLE } }],
      }
    : isJsonObject(accepted)
      ? accepted
      : schema;
}

function accept(value: JsonValue): JsonValue {
  if (isJsonArray(value)) {
    return value.map(accept);
  }
  if (!isJsonObject(value)) {
    return value;
  }
  const inner = Object.fromEntries(
    Object.entries(value).map(([key, member]) => [key, ALONE.has(key) ? member : accept(member)]),
  );
  return typeof inner['type'] === 'string' ? acceptAt(inner, inner['type']) : inner;
}

/** Conditions, and what is no schema. */
const ALONE: ReadonlySet<string> = new Set([
  'if',
  'not',
  'examples',
  'enum',
  'default',
  'required',
  'dependencies',
]);

function acceptAt(node: JsonObject, type: string): JsonObject {
  const { enum: values, pattern } = node;
  if (values !== undefined) {
    const prose = Object.fromEntries(Object.entries(node).filter(([key]) => PROSE.includes(key)));
    return { ...prose, anyOf: [omit(node, PROSE), IS_VARIABLE] };
  }
  switch (type) {
    case 'string':
      return typeof pattern === 'string' ? { ...node, pattern: `${VARIABLE}|${pattern}` } : node;
    case 'array':
      return {
        ...node,
        ...(isJsonObject(node['contains']) ? { contains: { anyOf: [node['contains'], IS_VARIABLE] } } : {}),
        ...orVariable(type),
      };
    case 'boolean':
    case 'integer':
    case 'number':
      return { ...node, ...orVariable(type) };
    default:
      return node;
  }
}

function orVariable(type: string): JsonObject {
  return {
    type: [type, 'string'],
    pattern: `^${VARIABLE}$`,
    patternErrorMessage: `${/^[aio]/u.test(type) ? 'an' : 'a'} ${type} is expected here, or a variable: \${name}`,
  };
}
