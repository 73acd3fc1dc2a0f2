import { existsSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

/** The folder of this package: the same for the sources and for the bundle, which lie at different depths. */
export function packageFolder(): string {
  let folder = dirname(fileURLToPath(import.meta.url));
  while (!existsSync(join(folder, 'schemas', 'project.schema.json')) && dirname(folder) !== folder) {
    folder = dirname(folder);
  }
  return folder;
}
