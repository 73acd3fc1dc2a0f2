import { existsSync } from 'node:fs';
import { readdir, readFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

const ENDING = '.schema.json';

/** Names of the JSON Schemas that the package ships, such as `zone` and `plan`. */
export async function listSchemas(): Promise<readonly string[]> {
  const files = await readdir(schemaFolder());
  return files
    .filter((file) => file.endsWith(ENDING))
    .map((file) => file.slice(0, -ENDING.length))
    .sort();
}

/** The text of a schema; null when there is none of this name. */
export async function readSchema(name: string): Promise<string | null> {
  const known = await listSchemas();
  return known.includes(name) ? readFile(join(schemaFolder(), name + ENDING), 'utf8') : null;
}

/** `schemas/` of the package: the same folder for the sources and for the bundle, which lie at different depths. */
function schemaFolder(): string {
  let folder = dirname(fileURLToPath(import.meta.url));
  while (!existsSync(join(folder, 'schemas', `project${ENDING}`)) && dirname(folder) !== folder) {
    folder = dirname(folder);
  }
  return join(folder, 'schemas');
}
