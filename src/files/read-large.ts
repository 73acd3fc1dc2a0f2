import { constants } from 'node:buffer';
import { readFile, stat } from 'node:fs/promises';
import type { Unread } from './unread.ts';
import { whyUnread } from './unread.ts';

/** The text of a file, or why there is none. */
export type FileText =
  | { readonly kind: 'text'; readonly text: string }
  | ({ readonly kind: 'unread'; readonly cause?: unknown } & Unread);

/**
 * Reads a file that may be larger than a text can be, which is looked at before anything of it is read. `named` is how its path was
 * written.
 */
export async function readLarge(path: string, named: string): Promise<FileText> {
  try {
    const { size } = await stat(path);
    return size > constants.MAX_STRING_LENGTH
      ? { kind: 'unread', reason: 'is larger than 512 MiB' }
      : { kind: 'text', text: await readFile(path, 'utf8') };
  } catch (error) {
    return { kind: 'unread', ...(await whyUnread(error, path, named)), cause: error };
  }
}
