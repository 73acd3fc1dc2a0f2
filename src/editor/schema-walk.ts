import { isJsonArray, isJsonObject, listOf, objectOf, objectsIn, textOf } from '../data/index.ts';
import type { JsonObject, JsonValue } from '../data/index.ts';
import type { ValuePath } from '../config/index.ts';

/** A key that a schema has at a place, or a value that it allows there, with what is told of it. */
export interface SchemaWord {
  readonly word: string;
  readonly documentation: string;
  /** The types that a value of the key can have. */
  readonly types: readonly string[];
}

/** What one schema, self-contained, says of the places of a document. */
export interface SchemaWalk {
  readonly keysAt: (path: ValuePath, value: JsonValue) => readonly SchemaWord[];
  readonly valuesAt: (path: ValuePath, value: JsonValue) => readonly SchemaWord[];
  /** Returns what the schemas say of the value at a path; empty where they say nothing. */
  readonly documentationAt: (path: ValuePath, value: JsonValue) => string;
  /** Returns the types that a value at a path can have. */
  readonly typesAt: (path: ValuePath, value: JsonValue) => readonly string[];
}

/** Deeper references would be a circle. */
const MAX_DEPTH = 16;

/** Walks a schema as `bundleSchema` makes it. */
export function walkSchema(schema: JsonObject): SchemaWalk {
  const definitions = objectOf(schema['definitions']);

  /** Returns the schemas that apply to a value, the ones that say most first; of alternatives, those that the value may still become. */
  const applying = (
    one: JsonValue | undefined,
    value: JsonValue | undefined,
    depth = 0,
  ): readonly JsonObject[] => {
    if (!isJsonObject(one) || depth > MAX_DEPTH) {
      return [];
    }
    const of = (inner: JsonValue | undefined): readonly JsonObject[] => applying(inner, value, depth + 1);
    const reference = textOf(one['$ref']).replace('#/definitions/', '');
    const alternatives = [...listOf(one['oneOf']), ...listOf(one['anyOf'])].filter((branch) =>
      mayBe(branch, value),
    );
    const condition = one['if'];
    const chosen = condition === undefined ? [] : holds(condition, value) ? of(one['then']) : of(one['else']);
    return [
      one,
      ...(reference === '' ? [] : of(definitions[reference])),
      ...listOf(one['allOf']).flatMap(of),
      ...alternatives.flatMap(of),
      ...chosen,
    ];
  };

  const at = (path: ValuePath, root: JsonValue): readonly JsonObject[] => {
    let schemas = applying(schema, root);
    let value: JsonValue | undefined = root;
    for (const part of path) {
      value = isJsonArray(value) ? value[Number(part)] : isJsonObject(value) ? value[part] : undefined;
      const inner = value;
      schemas = schemas.flatMap((one) => below(one, part).flatMap((next) => applying(next, inner)));
    }
    return schemas;
  };

  const wordOf = (word: string, schemas: readonly JsonObject[]): SchemaWord => ({
    word,
    documentation: documentationOf(schemas),
    types: typesOf(schemas),
  });

  return {
    keysAt: (path, value) => {
      const keys = new Map<string, JsonObject[]>();
      for (const one of at(path, value)) {
        for (const [key, member] of Object.entries(objectOf(one['properties']))) {
          keys.set(key, [...(keys.get(key) ?? []), ...applying(member, undefined)]);
        }
      }
      return [...keys].map(([key, schemas]) => wordOf(key, schemas));
    },
    valuesAt: (path, value) => {
      const words = new Map<string, SchemaWord>();
      for (const one of at(path, value)) {
        const told = listOf(one['enumDescriptions']);
        const values = [
          ...listOf(one['enum']),
          ...(one['const'] === undefined ? [] : [one['const']]),
          ...(one['type'] === 'boolean' || listOf(one['type']).includes('boolean') ? [true, false] : []),
        ];
        values.forEach((allowed, index) => {
          const word = typeof allowed === 'string' ? allowed : JSON.stringify(allowed);
          const known = words.get(word)?.documentation ?? '';
          words.set(word, { word, documentation: known === '' ? textOf(told[index]) : known, types: [] });
        });
      }
      return [...words.values()];
    },
    documentationAt: (path, value) => documentationOf(at(path, value)),
    typesAt: (path, value) => typesOf(at(path, value)),
  };
}

/** Returns the schemas of a member or an item. */
function below(schema: JsonObject, part: string | number): readonly JsonValue[] {
  if (typeof part === 'number') {
    const { items } = schema;
    return isJsonArray(items) ? [items[part] ?? {}] : items === undefined ? [] : [items];
  }
  const own = objectOf(schema['properties'])[part];
  if (own !== undefined) {
    return [own];
  }
  const patterns = Object.entries(objectOf(schema['patternProperties'])).filter(([pattern]) =>
    new RegExp(pattern, 'u').test(part),
  );
  const rest = schema['additionalProperties'];
  return patterns.length > 0 ? patterns.map(([, member]) => member) : isJsonObject(rest) ? [rest] : [];
}

/** Whether a value may still become what a branch describes: no member has another value than the branch names. */
function mayBe(branch: JsonValue, value: JsonValue | undefined): boolean {
  return Object.entries(objectOf(objectOf(branch)['properties'])).every(([key, member]) => {
    const given = isJsonObject(value) ? value[key] : undefined;
    const { const: only, enum: several, pattern } = objectOf(member);
    if (typeof given !== 'string' || given === '') {
      return true;
    }
    if (only !== undefined || several !== undefined) {
      return only === given || listOf(several).includes(given);
    }
    return typeof pattern !== 'string' || new RegExp(pattern, 'u').test(given);
  });
}

/** Whether a value has what a condition requires: its keys, and the values it names. */
function holds(condition: JsonValue, value: JsonValue | undefined): boolean {
  const required = listOf(objectOf(condition)['required']);
  return (
    isJsonObject(value) &&
    required.every((key) => typeof key !== 'string' || Object.hasOwn(value, key)) &&
    mayBe(condition, value)
  );
}

function documentationOf(schemas: readonly JsonObject[]): string {
  const told = schemas.flatMap(({ markdownDescription, description }) => {
    const text = textOf(markdownDescription) || textOf(description);
    return text === '' ? [] : [text];
  });
  return [...new Set(told)].slice(0, 2).join('\n\n');
}

function typesOf(schemas: readonly JsonObject[]): readonly string[] {
  const types = schemas.flatMap(({ type }) => (typeof type === 'string' ? [type] : listOf(type).map(String)));
  return [
    ...new Set([
      ...types,
      ...objectsIn(schemas.filter((one) => one['properties'] !== undefined)).map(() => 'object'),
    ]),
  ];
}
