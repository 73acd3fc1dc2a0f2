import { constants } from 'node:buffer';
import { readFile, stat } from 'node:fs/promises';
import type { Unread } from './unread.ts';
import { whyUnread } from './unread.ts';

/** The text of a file, or why there is none. */
export type FileText =
  | { readonly kind: 'text'; readonly text: string }
  | ({ readonly kind: 'unread'; readonly cause?: unknown } & Unread);

const BYTE_ORDER_MARK = '\uFEFF';

/**
 * Reads a file that may be larger than a text can be, or no file at all, which is looked at before anything of it is read: a pipe that
 * nobody writes into would be waited for. A byte order mark is taken off. `named` is how its path was written.
 */
export async function readLarge(path: string, named: string): Promise<FileText> {
  try {
    const found = await stat(path);
    if (!found.isFile() && !found.isDirectory()) {
      return { kind: 'unread', reason: 'is not a regular file: write what it gives into a file first' };
    }
    if (found.size > constants.MAX_STRING_LENGTH) {
      return { kind: 'unread', reason: 'is larger than 512 MiB' };
    }
    const text = await readFile(path, 'utf8');
    return { kind: 'text', text: text.startsWith(BYTE_ORDER_MARK) ? text.slice(1) : text };
  } catch (error) {
    return { kind: 'unread', ...(await whyUnread(error, path, named)), cause: error };
  }
}
