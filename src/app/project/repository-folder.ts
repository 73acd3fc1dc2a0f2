import { existsSync, realpathSync } from 'node:fs';
import { dirname, join, relative, sep } from 'node:path';
import { projectFolder } from './project-folder.ts';
import type { Selection } from './selection.ts';

/**
 * The folder of the selected project relative to the Git repository that it lies in, with `/`; "" for the
 * repository's own folder, and for a project that lies in none.
 */
export async function repositoryFolder(selection: Selection): Promise<string> {
  return folderInRepository(await projectFolder(selection));
}

/** A folder relative to the Git repository that it lies in; "" for that itself, and where there is none. */
export function folderInRepository(path: string): string {
  let folder = realpathSync(path);
  const inner = folder;
  while (!existsSync(join(folder, '.git'))) {
    if (dirname(folder) === folder) {
      return '';
    }
    folder = dirname(folder);
  }
  return relative(folder, inner).split(sep).join('/');
}
