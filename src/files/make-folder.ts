import { mkdir, stat } from 'node:fs/promises';
import { dirname } from 'node:path';

/**
 * Makes a folder and those above it, one by one: the recursion of `mkdir` never ends where a file system
 * says that a folder which exists is not there, as `/proc` does. Rejects as `mkdir` does.
 */
export async function makeFolder(folder: string, mode?: number): Promise<void> {
  if (await exists(folder)) {
    return;
  }
  await makeFolder(dirname(folder), mode);
  try {
    await mkdir(folder, { mode });
  } catch (error) {
    // Somebody else was faster.
    if (!(await exists(folder))) {
      throw error;
    }
  }
}

async function exists(path: string): Promise<boolean> {
  try {
    await stat(path);
    return true;
  } catch {
    return false;
  }
}
