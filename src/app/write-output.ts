import { mkdir } from 'node:fs/promises';
import { dirname, resolve } from 'node:path';
import writeFileAtomic from 'write-file-atomic';
import { RulewrightError } from '../model/error.ts';

/**
 * Writes a result into a file, whole or not at all; folders on the way are made. `path` is relative to
 * `cwd`. Throws `output/not-written` when the file system refuses.
 */
export async function writeOutput(cwd: string, path: string, text: string): Promise<void> {
  const file = resolve(cwd, path);
  try {
    await mkdir(dirname(file), { recursive: true });
    await writeFileAtomic(file, text);
  } catch (error) {
    throw new RulewrightError(`${path} cannot be written: ${error instanceof Error ? error.message : ''}`, {
      code: 'output/not-written',
      fault: 'user',
      hint: 'check the path and the permissions of its folder',
      cause: error,
    });
  }
}
