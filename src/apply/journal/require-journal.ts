import type { FileHandle } from 'node:fs/promises';
import { RulewrightError } from '../../model/index.ts';

/** How each line of a journal begins: with the time it was written. */
const BEGINS = '{"at":';

/** Number of bytes checked: enough for a beginning that a crash tore, its line end, and the beginning of the next line. */
const HEAD_BYTES = 2 * BEGINS.length + 1;

/**
 * Throws `apply/journal` when a file is not a journal (but a plan, say), so that nothing is appended to it. Accepts a first line that a crash tore or
 * replaced with zeros.
 */
export async function requireJournal(file: FileHandle, path: string): Promise<void> {
  const { buffer, bytesRead } = await file.read(Buffer.alloc(HEAD_BYTES), 0, HEAD_BYTES, 0);
  const lines = buffer.toString('utf8', 0, bytesRead).replaceAll('\0', '').split('\n');
  if (!lines.every((line) => line.startsWith(BEGINS) || BEGINS.startsWith(line))) {
    throw new RulewrightError(`${path} is not a journal, and nothing is appended to it`, {
      code: 'apply/journal',
      fault: 'user',
      hint: 'name a file of its own with --journal',
    });
  }
}
