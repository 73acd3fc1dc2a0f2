import { readFile, mkdir, rename, rm, writeFile } from 'node:fs/promises';
import { randomUUID } from 'node:crypto';
import { basename, dirname, join } from 'node:path';
import writeFileAtomic from 'write-file-atomic';
import { DeniedWrite, exists, isDenied, isMissing } from './file-errors.ts';
import { OWN_FOLDER, refuseLinks } from './refuse-links.ts';

/**
 * Runs a write to a file. If the system refuses it without naming a file, as when a disk is full, the error gets the file's path; a denied write is told
 * by that path, and not by the name of a temporary file.
 */
export async function namingFile<Result>(path: string, write: () => Promise<Result>): Promise<Result> {
  try {
    return await write();
  } catch (error) {
    if (isDenied(error)) {
      throw error instanceof DeniedWrite ? error : new DeniedWrite(path, error);
    }
    if (error instanceof Error && 'syscall' in error && !('path' in error)) {
      error.message += ` '${path}'`;
    }
    throw error;
  }
}

/** Begins some files; it is not part of their text, and is kept. */
const BYTE_ORDER_MARK = '\u{feff}';

/** Replaces the text of a user's file, whole or not at all; keeps a byte order mark at its beginning. */
export async function writeText(path: string, text: string): Promise<void> {
  const before = await readFile(path, 'utf8').catch((error: unknown) => {
    if (isMissing(error)) {
      return '';
    }
    throw error;
  });
  const mark = before.startsWith(BYTE_ORDER_MARK) ? BYTE_ORDER_MARK : '';
  await namingFile(path, () => writeFileAtomic(path, mark + text));
}

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
    await namingFile(folder, async () => {
      await (basename(folder) === OWN_FOLDER ? makeOwn(folder, mode) : mkdir(folder, { mode }));
    });
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
