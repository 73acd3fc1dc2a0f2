import { readFile, rm } from 'node:fs/promises';
import { dirname } from 'node:path';
import { isMissing, makeFolder, refuseLinks, writeText } from '../../files/index.ts';

/** The file that says at which commit watchers of a journal have stopped. */
export function stoppedFileOf(journal: string): string {
  return `${journal}.stopped`;
}

/** Returns the commit that is not to be applied again; null when there is none. Rejects as the file system does. */
export async function readStopped(file: string): Promise<string | null> {
  await refuseLinks(file);
  const text = await readFile(file, 'utf8').catch((error: unknown) => {
    if (isMissing(error)) {
      return '';
    }
    throw error;
  });
  return text.trim() === '' ? null : text.trim();
}

/** Keeps the commit for watchers that start again, or take over; null: there is none any more. */
export async function keepStopped(file: string, commit: string | null): Promise<void> {
  if (commit === null) {
    await rm(file, { force: true });
    return;
  }
  await makeFolder(dirname(file));
  await writeText(file, `${commit}\n`);
}
