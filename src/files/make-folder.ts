import { randomUUID } from 'node:crypto';
import { mkdir, rename, rm, writeFile } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import { exists } from './missing.ts';
import { OWN_FOLDER, refuseLinks } from './refuse-links.ts';

/**
 * Creates a folder and its parents one by one: recursive `mkdir` never ends on a file system that denies an existing folder, as `/proc` does. A
 * `.rulewright` that it creates is ignored by Git, because journals and caches contain the rules. `mode` does not go to what is above a
 * `.rulewright`: that is the project's own. Rejects as `mkdir` and `refuseLinks` do.
 */
export async function makeFolder(folder: string, mode?: number): Promise<void> {
  await refuseLinks(folder);
  if (await exists(folder)) {
    return;
  }
  const above = dirname(folder);
  // A drive of Windows may not exist, and nothing is above it.
  if (above !== folder) {
    await makeFolder(above, basename(folder) === OWN_FOLDER ? undefined : mode);
  }
  try {
    await (basename(folder) === OWN_FOLDER ? makeOwn(folder, mode) : mkdir(folder, { mode }));
  } catch (error) {
    // Another process was faster.
    if (!(await exists(folder))) {
      throw error;
    }
  }
}

/** Creates `.rulewright` whole or not at all: without its `.gitignore`, as after a crash or on a full disk, journals would be committed. */
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
