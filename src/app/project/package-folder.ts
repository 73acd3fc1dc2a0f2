import { existsSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

/** Returns the folder of this package. Searches upwards, since the sources and the bundle lie at different depths. */
export function packageFolder(): string {
  let folder = dirname(fileURLToPath(import.meta.url));
  while (!existsSync(join(folder, 'schemas', 'project.schema.json')) && dirname(folder) !== folder) {
    folder = dirname(folder);
  }
  return folder;
}
