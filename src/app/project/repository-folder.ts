import { existsSync, realpathSync } from 'node:fs';
import { dirname, join, relative, sep } from 'node:path';
import { projectFolder } from './project-folder.ts';
import type { Selection } from './selection.ts';

/**
 * Returns the folder of the selected project relative to its Git repository, with `/`; "" for the root folder of the repository, and
 * for a project outside of any.
 */
export async function repositoryFolder(selection: Selection): Promise<string> {
  return folderInRepository(await projectFolder(selection));
}

/** Returns a folder relative to its Git repository; "" for the root folder of the repository, and outside of any. */
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
