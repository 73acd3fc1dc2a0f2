import { constants } from 'node:buffer';
import { readFile, stat } from 'node:fs/promises';
import type { ReadProblem } from './read-error.ts';
import { explainReadError } from './read-error.ts';
import { decodeUtf8, oddByteText } from './utf8.ts';

/** The text of a file, or why it cannot be read. */
export type FileText =
  | { readonly kind: 'text'; readonly text: string }
  | ({ readonly kind: 'unread'; readonly cause?: unknown } & ReadProblem);

/**
 * Reads a file as UTF-8, without its byte order mark. Checks first that it is a regular file and not larger than a string can be: reading a pipe
 * would wait for a writer. `named` is the path as the user wrote it.
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

/** Describes in one sentence why a file cannot be read, and which one may be meant. */
export function unreadText({ reason, didYouMean }: ReadProblem): string {
  return didYouMean === undefined ? reason : `${reason}; ${didYouMean}`;
}
