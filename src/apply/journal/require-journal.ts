import type { FileHandle } from 'node:fs/promises';
import { RulewrightError } from '../../model/error.ts';

/** How each line of a journal begins: it says first when it was written. */
const BEGINS = '{"at":';

/** What is looked at: a line that a crash tore before it had all of that, and the beginning of the next. */
const HEAD_BYTES = 2 * BEGINS.length + 1;

/**
 * Throws `apply/journal` for a file that holds anything but a journal, such as a plan: nothing is appended to it. What a crash left of the
 * first line, or zeros in its place, is no reason.
 */
export async function requireJournal(file: FileHandle, path: string): Promise<void> {
  const { buffer, bytesRead } = await file.read(Buffer.alloc(HEAD_BYTES), 0, HEAD_BYTES, 0);
  const lines = buffer.toString('utf8', 0, bytesRead).replaceAll('\0', '').split('\n');
  if (!lines.every((line) => line.startsWith(BEGINS) || BEGINS.startsWith(line))) {
    throw new RulewrightError(`${path} is no journal, and nothing is appended to it`, {
      code: 'apply/journal',
      fault: 'user',
      hint: 'name a file of its own with --journal',
    });
  }
}
