import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { Ajv } from 'ajv';
import type { AnySchemaObject, ValidateFunction } from 'ajv';
import { isJsonArray, isJsonObject } from '../../src/data/json.ts';
import type { JsonValue } from '../../src/data/json.ts';

const FOLDER = join(import.meta.dirname, '..', '..', 'schemas');

/** The schemas of what commands print. */
const PRINTED = [
  'result',
  'plan',
  'setup',
  'simulation',
  'migration',
  'versions',
  'forge',
  'deprecations',
  'desired',
];

const closedSchemas = new Map<string, Promise<ValidateFunction>>();
const texts = new Map<string, Promise<string>>();

/** Returns the validator of a published schema that allows no members other than the described ones. */
export function closedSchema(name: string): Promise<ValidateFunction> {
  const schema = closedSchemas.get(name) ?? compile(name);
  closedSchemas.set(name, schema);
  return schema;
}

/**
 * Returns what no published schema describes in a document that a command printed, or null. A document without a `kind` has no schema of
 * ours: SARIF, a schema, the address of an emulator.
 */
export async function undescribed(document: JsonValue): Promise<unknown> {
  if (!isJsonObject(document) || !('kind' in document)) {
    return null;
  }
  const kind = JSON.stringify(document['kind']);
  for (const name of PRINTED) {
    if (!(await textOf(name)).includes(kind)) {
      continue; // Compiling a schema takes longer than most tests.
    }
    const validate = await closedSchema(name);
    if (validate(document)) {
      return null;
    }
    if (validate.errors?.some(isOfAnotherKind) !== true) {
      return validate.errors;
    }
  }
  return `no schema describes the kind ${kind}`;
}

function isOfAnotherKind({ keyword, instancePath }: { keyword: string; instancePath: string }): boolean {
  return keyword === 'discriminator' ? instancePath === '' : keyword === 'const' && instancePath === '/kind';
}

async function compile(name: string): Promise<ValidateFunction> {
  const ajv = new Ajv({ allErrors: true, discriminator: true, strictRequired: false, allowUnionTypes: true });
  for (const other of ['plan', 'result', 'lock'].filter((one) => one !== name)) {
    ajv.addSchema(await read(other), `${other}.schema.json`);
  }
  return ajv.compile(await read(name));
}

async function read(name: string): Promise<AnySchemaObject> {
  const schema = closed(JSON.parse(await textOf(name)));
  return isJsonObject(schema) ? schema : {};
}

function textOf(name: string): Promise<string> {
  const text = texts.get(name) ?? readFile(join(FOLDER, `${name}.schema.json`), 'utf8');
  texts.set(name, text);
  return text;
}

function closed(value: JsonValue): JsonValue {
  if (isJsonArray(value)) {
    return value.map(closed);
  }
  if (!isJsonObject(value)) {
    return value;
  }
  // A condition only asks for some members.
  const members = Object.fromEntries(
    Object.entries(value).map(([key, member]) => [key, key === 'if' ? member : closed(member)]),
  );
  const isOpen = value['type'] === 'object' && isJsonObject(value['properties']);
  return isOpen && !('additionalProperties' in value) ? { ...members, additionalProperties: false } : members;
}
