import { readFile } from 'node:fs/promises';
import writeFileAtomic from 'write-file-atomic';
import { isMissing } from './missing.ts';

/** What begins some files; it is no part of their text and stays. */
const BYTE_ORDER_MARK = '\u{feff}';

/** Gives a file that people write another text, whole or not at all; a byte order mark that begins it stays. */
export async function writeText(path: string, text: string): Promise<void> {
  const before = await readFile(path, 'utf8').catch((error: unknown) => {
    if (isMissing(error)) {
      return '';
    }
    throw error;
  });
  await writeFileAtomic(path, (before.startsWith(BYTE_ORDER_MARK) ? BYTE_ORDER_MARK : '') + text);
}
