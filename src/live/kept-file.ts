import { randomBytes } from 'node:crypto';
import { constants } from 'node:fs';
import type { FileHandle } from 'node:fs/promises';
import { open, rename, rm } from 'node:fs/promises';

// A cache may come out of an archive that somebody else has packed. So its files are opened for what they are: no link is followed out of
// the folder, and nothing is waited for, as the other end of a pipe would be.

/** Opens a file of the cache, never what a link leads to. Rejects for what is no file. */
export async function openKept(path: string, mode: 'read' | 'mark'): Promise<FileHandle> {
  const { O_RDONLY, O_WRONLY, O_CREAT, O_NOFOLLOW, O_NONBLOCK } = constants;
  const file = await open(
    path,
    (mode === 'read' ? O_RDONLY : O_WRONLY | O_CREAT) | O_NOFOLLOW | O_NONBLOCK,
    0o600,
  );
  const found = await file.stat();
  if (!found.isFile()) {
    await file.close();
    throw Object.assign(new Error(`${path} is no file`), { code: 'ENOTFILE' });
  }
  return file;
}

/** The bytes of a file of the cache; rejects for more than `most`, and as `openKept`. */
export async function readKeptFile(path: string, most: number): Promise<Buffer> {
  const file = await openKept(path, 'read');
  try {
    const { size } = await file.stat();
    if (size > most) {
      throw Object.assign(new Error(`${path} is too large`), { code: 'EFBIG' });
    }
    return await file.readFile();
  } finally {
    await file.close();
  }
}

/**
 * Puts bytes in the place of a file of the cache, whole or not at all, for runs on several machines as well. It is not synced: a file
 * that a crash leaves incomplete is one that makes no sense, and is made afresh.
 */
export async function writeKeptFile(path: string, bytes: Buffer | string): Promise<void> {
  const made = `${path}.${randomBytes(8).toString('hex')}`;
  try {
    const file = await open(made, 'wx', 0o600);
    try {
      await file.writeFile(bytes);
    } finally {
      await file.close();
    }
    await rename(made, path);
  } catch (error) {
    await rm(made, { force: true });
    throw error;
  }
}

/** Why a file of the cache cannot be read or written, in a word. */
export function reasonOf(error: unknown): string {
  return error instanceof Error && 'code' in error ? String(error.code) : String(error);
}
