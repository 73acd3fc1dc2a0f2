import { randomBytes } from 'node:crypto';
import { constants } from 'node:fs';
import type { FileHandle } from 'node:fs/promises';
import { open, rename, rm } from 'node:fs/promises';
import { refuseLinks } from '../files/refuse-links.ts';

// A cache may come from an archive that somebody else made. So symbolic links are not followed, and opening a named pipe does not block.

/** Opens a regular file without following a symbolic link. Rejects for anything else. */
export async function openRegularFile(path: string, mode: 'read' | 'touch'): Promise<FileHandle> {
  await refuseLinks(path);
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

/** Reads a regular file; rejects for more than `maxBytes`, and as `openRegularFile`. */
export async function readRegularFile(path: string, maxBytes: number): Promise<Buffer> {
  const file = await openRegularFile(path, 'read');
  try {
    const { size } = await file.stat();
    if (size > maxBytes) {
      throw Object.assign(new Error(`${path} is too large`), { code: 'EFBIG' });
    }
    return await file.readFile();
  } finally {
    await file.close();
  }
}

/**
 * Replaces a file atomically: writes a temporary file and renames it. `write-file-atomic` would follow a link to the file that it names. The file
 * is not synced: readers treat a file that a crash has truncated as a cache miss.
 */
export async function replaceFile(path: string, bytes: Buffer | string): Promise<void> {
  const temporary = `${path}.${randomBytes(8).toString('hex')}`;
  try {
    const file = await open(temporary, 'wx', 0o600);
    try {
      await file.writeFile(bytes);
    } finally {
      await file.close();
    }
    await rename(temporary, path);
  } catch (error) {
    await rm(temporary, { force: true });
    throw error;
  }
}
