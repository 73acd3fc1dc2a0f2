import type { JsonObject, JsonValue } from '../../model/json.ts';
import { isJsonArray, isJsonObject, objectOf, omit } from '../../model/json.ts';

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
