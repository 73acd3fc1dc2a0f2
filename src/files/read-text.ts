import { constants, isUtf8 } from 'node:buffer';
import { readFile, stat, readdir } from 'node:fs/promises';
import { basename, dirname, join, relative } from 'node:path';
import { distance } from 'fastest-levenshtein';
import { errorCode, exists, isMissing } from './file-errors.ts';

/** Why a file cannot be read, with a suggestion where its name may be mistyped. */
interface ReadProblem {
  readonly reason: string;
  /** A question; absent when no other file has a similar name. */
  readonly didYouMean?: string;
}

/** Explains the error of reading a file; `named` is the path as the user wrote it. */
export async function explainReadError(error: unknown, path: string, named: string): Promise<ReadProblem> {
  if (isMissing(error)) {
    return explainMissing(path, named);
  }
  const reason = REASONS.get(errorCode(error) ?? '');
  return { reason: reason ?? `cannot be read: ${error instanceof Error ? error.message : String(error)}` };
}

/** Explains that a path does not exist. */
export async function explainMissing(path: string, named: string): Promise<ReadProblem> {
  const near = await nearestPath(path);
  return {
    reason: 'does not exist',
    ...(near === undefined ? {} : { didYouMean: `did you mean ${suggestionFor(named, path, near)}?` }),
  };
}

const REASONS: ReadonlyMap<string, string> = new Map([
  ['EISDIR', 'is a folder, not a file'],
  ['EACCES', 'may not be read by this user'],
  ['EPERM', 'may not be read by this user'],
]);

/** Returns an existing path that differs only by a typing error in one part. */
async function nearestPath(path: string): Promise<string | undefined> {
  const above = dirname(path);
  if (above === path) {
    return undefined;
  }
  const folder = (await exists(above)) ? above : await nearestPath(above);
  if (folder === undefined) {
    return undefined;
  }
  const wanted = basename(path);
  if (folder !== above && (await exists(join(folder, wanted)))) {
    return join(folder, wanted);
  }
  const names = folder === above ? await readdir(folder).catch(() => []) : [];
  const ranked = names
    .map((name) => ({ name, far: distance(wanted.toLowerCase(), name.toLowerCase()) }))
    .filter(({ far }) => far <= Math.min(3, Math.ceil(wanted.length / 4)))
    .sort((a, b) => a.far - b.far || (a.name < b.name ? -1 : 1));
  return ranked[0] === undefined ? undefined : join(folder, ranked[0].name);
}

/** Returns the nearest path in the form in which the user wrote the missing one. */
function suggestionFor(named: string, path: string, near: string): string {
  return join(dirname(named), relative(dirname(path), near));
}

/** The text of bytes, or the first byte that is not UTF-8 and its place. */
export type DecodedText =
  | { readonly kind: 'text'; readonly text: string }
  | ({ readonly kind: 'not-utf8' } & OddByte);

/** A byte that is not UTF-8, with its line and column, from 1 and in UTF-16 units as editors count. */
export interface OddByte {
  readonly byte: number;
  /** Whether the bytes begin like UTF-16 text, which Windows PowerShell writes when no encoding is given. */
  readonly isUtf16: boolean;
  readonly line: number;
  readonly column: number;
}

const BYTE_ORDER_MARK = '\u{feff}';

/** Stands in a decoded text for bytes that are not UTF-8; a file may also contain it itself. */
const REPLACEMENT = '\u{fffd}';

/** Decodes bytes as UTF-8, guessing nothing; removes a byte order mark. */
export function decodeUtf8(bytes: Buffer): DecodedText {
  const decoded = bytes.toString('utf8');
  const text = decoded.startsWith(BYTE_ORDER_MARK) ? decoded.slice(1) : decoded;
  return isUtf8(bytes)
    ? { kind: 'text', text }
    : {
        kind: 'not-utf8',
        isUtf16: UTF16_MARK.test(bytes.toString('latin1', 0, 2)),
        ...oddByte(bytes, decoded, text),
      };
}

/** The byte order mark of UTF-16, in either order, or a first Latin letter without a mark. */
const UTF16_MARK = /^(?:\xff\xfe|\xfe\xff|\0[^\0]|[^\0]\0)/u;

function oddByte(bytes: Buffer, decoded: string, text: string): Omit<OddByte, 'isUtf16'> {
  let offset = 0;
  let from = 0;
  for (let at = decoded.indexOf(REPLACEMENT); at !== -1; at = decoded.indexOf(REPLACEMENT, from)) {
    offset += Buffer.byteLength(decoded.slice(from, at));
    if (bytes.toString('latin1', offset, offset + 3) !== '\u{ef}\u{bf}\u{bd}') {
      const before = text.slice(0, at - (decoded.length - text.length)).split('\n');
      return { byte: bytes[offset] ?? 0, line: before.length, column: (before.at(-1) ?? '').length + 1 };
    }
    offset += 3;
    from = at + 1;
  }
  throw new TypeError('bytes that are not UTF-8 decode without a replacement');
}

/** Describes the byte: `the byte 0xE9 is not UTF-8`. */
export function oddByteText({ byte, isUtf16 }: OddByte): string {
  return isUtf16
    ? 'it is UTF-16'
    : `the byte 0x${byte.toString(16).toUpperCase().padStart(2, '0')} is not UTF-8`;
}

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
