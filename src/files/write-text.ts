import { readFile } from 'node:fs/promises';
import writeFileAtomic from 'write-file-atomic';
import { isMissing } from './missing.ts';
import { namingFile } from './naming-file.ts';

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
