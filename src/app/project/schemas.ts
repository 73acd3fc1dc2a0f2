import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { acceptVariables, bundleSchema } from '../../config/index.ts';
import type { JsonObject } from '../../data/index.ts';
import { objectOf } from '../../data/index.ts';
import { packageFolder } from './package-folder.ts';

const ENDING = '.schema.json';

/** Schemas of values that may contain variables. */
const FILLED: ReadonlySet<string> = new Set(['action-parameters', 'rule', 'settings']);

/** Lists the names of the JSON Schemas in the package, such as `zone` and `plan`. */
export async function listSchemas(): Promise<readonly string[]> {
  const files = await readdir(schemaFolder());
  return files
    .filter((file) => file.endsWith(ENDING))
    .map((file) => file.slice(0, -ENDING.length))
    .sort();
}

/** Returns the text of a schema; null for an unknown name. */
export async function readSchema(name: string): Promise<string | null> {
  const known = await listSchemas();
  return known.includes(name) ? readFile(join(schemaFolder(), name + ENDING), 'utf8') : null;
}

/** Returns a self-contained schema, as editors need it; null for an unknown name. */
export async function bundledSchema(name: string): Promise<string | null> {
  const known = await listSchemas();
  if (!known.includes(name)) {
    return null;
  }
  const texts = await Promise.all(known.map((one) => readFile(join(schemaFolder(), one + ENDING), 'utf8')));
  const schemas = new Map(
    known.map((one, index) => {
      const schema = parseSchema(texts[index] ?? '');
      return [one + ENDING, FILLED.has(one) ? acceptVariables(schema) : schema];
    }),
  );
  return `${JSON.stringify(bundleSchema(name + ENDING, schemas), null, 2)}\n`;
}

function parseSchema(text: string): JsonObject {
  return objectOf(JSON.parse(text));
}

/** `schemas/` of the package. */
function schemaFolder(): string {
  return join(packageFolder(), 'schemas');
}
