import { randomUUID } from 'node:crypto';
import { mkdir, rename, rm, writeFile } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import { exists } from './missing.ts';

/** What a project keeps to itself: caches, journals, schemas for editors, the state of the embedded service. */
const OWN = '.rulewright';

/**
 * Makes a folder and those above it, one by one: the recursion of `mkdir` never ends where a file system
 * says that a folder which exists is not there, as `/proc` does. A `.rulewright` that it makes tells Git to leave it out, for journals
 * and caches hold the rules. Rejects as `mkdir` does.
 */
export async function makeFolder(folder: string, mode?: number): Promise<void> {
  if (await exists(folder)) {
    return;
  }
  const above = dirname(folder);
  // The drive of Windows may not be there, and nothing is above it.
  if (above !== folder) {
    await makeFolder(above, mode);
  }
  try {
    await (basename(folder) === OWN ? makeOwn(folder, mode) : mkdir(folder, { mode }));
  } catch (error) {
    // Somebody else was faster.
    if (!(await exists(folder))) {
      throw error;
    }
  }
}

/** Whole or not at all: without what it tells Git, also after a crash or on a full disk, journals would be committed. */
async function makeOwn(folder: string, mode: number | undefined): Promise<void> {
  const making = `${folder}.${randomUUID()}`;
  try {
    await mkdir(making, { mode });
    await writeFile(join(making, '.gitignore'), '*\n');
    await rename(making, folder);
  } catch (error) {
    await rm(making, { recursive: true, force: true });
    throw error;
  }
}
