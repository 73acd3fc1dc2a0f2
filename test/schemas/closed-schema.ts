import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { Ajv } from 'ajv';
import type { AnySchemaObject, ValidateFunction } from 'ajv';
import { isJsonArray, isJsonObject } from '../../src/model/json.ts';
import type { JsonValue } from '../../src/model/json.ts';

const FOLDER = join(import.meta.dirname, '..', '..', 'schemas');

/** A published schema, closed: it takes the members that are described, and no other. */
export async function closedSchema(name: string): Promise<ValidateFunction> {
  const ajv = new Ajv({ allErrors: true, discriminator: true, strictRequired: false, allowUnionTypes: true });
  for (const other of ['plan', 'result', 'lock'].filter((one) => one !== name)) {
    ajv.addSchema(await read(other), `${other}.schema.json`);
  }
  return ajv.compile(await read(name));
}

async function read(name: string): Promise<AnySchemaObject> {
  const schema = closed(JSON.parse(await readFile(join(FOLDER, `${name}.schema.json`), 'utf8')));
  return isJsonObject(schema) ? schema : {};
}

function closed(value: JsonValue): JsonValue {
  if (isJsonArray(value)) {
    return value.map(closed);
  }
  if (!isJsonObject(value)) {
    return value;
  }
  const members = Object.fromEntries(Object.entries(value).map(([key, member]) => [key, closed(member)]));
  const isOpen = isJsonObject(value['properties']) && !('additionalProperties' in value);
  return isOpen ? { ...members, additionalProperties: false } : members;
}
