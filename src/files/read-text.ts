import { constants } from 'node:buffer';
import { readFile, stat } from 'node:fs/promises';
import type { ReadProblem } from './read-error.ts';
import { explainReadError } from './read-error.ts';
import { decodeUtf8, oddByteText } from './utf8.ts';

/** The text of a file, or why there is none. */
export type FileText =
  | { readonly kind: 'text'; readonly text: string }
  | ({ readonly kind: 'unread'; readonly cause?: unknown } & ReadProblem);

/**
 * Reads a file as UTF-8; a byte order mark is taken off. It may be larger than a text can be, or no file at all, which is looked at
 * before anything of it is read: a pipe that nobody writes into would be waited for. `named` is how its path was written.
 */
export async function readText(path: string, named: string): Promise<FileText> {
  try {
    const found = await stat(path);
    if (!found.isFile() && !found.isDirectory()) {
      return { kind: 'unread', reason: 'is not a regular file: write what it gives into a file first' };
    }
    if (found.size > constants.MAX_STRING_LENGTH) {
      return { kind: 'unread', reason: 'is larger than 512 MiB' };
    }
    const decoded = decodeUtf8(await readFile(path));
    return decoded.kind === 'text'
      ? decoded
      : {
          kind: 'unread',
          reason: `is not UTF-8 text: ${oddByteText(decoded)} (line ${decoded.line}, column ${decoded.column})`,
        };
  } catch (error) {
    return { kind: 'unread', ...(await explainReadError(error, path, named)), cause: error };
  }
}

/** Why a file has no text, and which one may be meant, in one sentence. */
export function unreadText({ reason, didYouMean }: ReadProblem): string {
  return didYouMean === undefined ? reason : `${reason}; ${didYouMean}`;
}
