import type { JsonObject, JsonValue } from '../../data/index.ts';
import { isJsonArray, isJsonObject, objectOf, omit } from '../../data/index.ts';

/** `#/definitions/x`, `other.schema.json`, `other.schema.json#/definitions/x`. */
const REFERENCE = /^(?<file>[^#]*)(?:#\/definitions\/(?<name>[^/]+))?$/u;

/**
 * Combines several schemas that refer to each other into one, for editors, which cannot follow references to files that nobody serves.
 * Definitions used from other schemas become definitions of this one.
 */
export function bundleSchema(name: string, schemas: ReadonlyMap<string, JsonObject>): JsonObject {
  const definitions = new Map<string, JsonValue>();
  const bundle = (value: JsonValue, file: string): JsonValue => {
    if (isJsonArray(value)) {
      return value.map((item) => bundle(item, file));
    }
    if (!isJsonObject(value)) {
      return value;
    }
    return Object.fromEntries(
      Object.entries(value).map(([key, member]) => [
        key,
        key === '$ref' && typeof member === 'string' ? point(member, file) : bundle(member, file),
      ]),
    );
  };
  const point = (reference: string, from: string): string => {
    const { file = '', name: definition } = REFERENCE.exec(reference)?.groups ?? {};
    const target = file === '' ? from : file;
    const key = [target.replace('.schema.json', ''), ...(definition === undefined ? [] : [definition])].join(
      '.',
    );
    if (!definitions.has(key)) {
      // Reserved before its members are visited, since they may refer to it.
      definitions.set(key, {});
      definitions.set(key, bundle(definitionOf(schemas.get(target), definition), target));
    }
    return `#/definitions/${key}`;
  };
  const body = bundle(omit(schemas.get(name) ?? {}, ['definitions']), name);
  return { ...objectOf(body), definitions: Object.fromEntries(definitions) };
}

function definitionOf(schema: JsonObject | undefined, name: string | undefined): JsonValue {
  if (name === undefined) {
    return omit(schema ?? {}, ['$schema', '$id', 'definitions']);
  }
  const all = schema?.['definitions'];
  return isJsonObject(all) ? (all[name] ?? {}) : {};
}

/** `${name}`, a variable, which can stand for a value of any type. */
const VARIABLE = '\\$\\{[A-Za-z_][A-Za-z0-9_]*\\}';

const IS_VARIABLE: JsonObject = { title: 'Variable', type: 'string', pattern: `^${VARIABLE}$` };

/** Keys that describe a value to people; they stay outside of the alternatives. */
const PROSE = ['title', 'description', 'markdownDescription', 'default'];

/**
 * Extends a schema of rules to files as people write them: wherever a value that is not text is required, a variable is accepted. We check types
 * after variables are filled in; editors see files before that.
 */
export function acceptVariables(schema: JsonObject): JsonObject {
  const { oneOf } = schema;
  const accepted = accept(schema);
  // The parameters that go with an action given by a variable are unknown.
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

/** Keys that stay as they are: conditions, and values that are not schemas. */
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
