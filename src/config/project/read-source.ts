import { constants, open, realpath } from 'node:fs/promises';
import type { FileHandle } from 'node:fs/promises';
import { join } from 'node:path';
import { crc32 } from 'node:zlib';
import type { Diagnostic, SourceSpan } from '../../model/index.ts';
import type { OddByte } from '../../files/index.ts';
import { decodeUtf8, oddByteText } from '../../files/index.ts';
import { finding } from '../source/finding.ts';
import type { SourceText } from '../source/source-text.ts';
import { sourceText } from '../source/source-text.ts';
import { YAML_LIMITS } from '../yaml/read-value.ts';
import { errorMessage } from '../../model/index.ts';
import { outside, realPathInside } from './list-files.ts';

/** A file's text, or why there is none. */
export type ReadSource =
  | { readonly kind: 'read'; readonly source: SourceText }
  | { readonly kind: 'unread'; readonly path: string; readonly diagnostic: Diagnostic };

/**
 * Reads a file of the project as UTF-8 text, without its byte order mark. Only a regular file that lies in the project folder, links followed, is
 * read, and no more than the limit allows. `realRoot` saves resolving the folder again for each of many files.
 */
export async function readSource(
  root: string,
  path: string,
  realRoot: Promise<string> = realpath(root),
): Promise<ReadSource> {
  const where = topOf(path);
  const unread = (diagnostic: Diagnostic): ReadSource => ({ kind: 'unread', path, diagnostic });
  try {
    const real = await realPathInside(await realRoot, join(root, path));
    if (real === undefined) {
      return unread(outside(path, where));
    }
    const bytes = await readBytes(real);
    if (typeof bytes === 'string') {
      return unread(PROBLEMS[bytes](where));
    }
    const decoded = decodeUtf8(bytes);
    return decoded.kind === 'text'
      ? { kind: 'read', source: sourceText(path, decoded.text) }
      : unread(notUtf8(path, decoded));
  } catch (error) {
    return unread(unreadable(errorMessage(error), where));
  }
}

/** Returns a text that a program has in place of a file's, within the same limit. */
export function heldSource(path: string, text: string): ReadSource {
  return text.length > YAML_LIMITS.fileBytes
    ? { kind: 'unread', path, diagnostic: PROBLEMS['too-large'](topOf(path)) }
    : { kind: 'read', source: sourceText(path, text) };
}

/** Non-blocking, because a pipe would open only once somebody writes to it; without following links, which are already resolved. */
const READ_ONLY = constants.O_RDONLY | constants.O_NONBLOCK | constants.O_NOFOLLOW;

async function readBytes(path: string): Promise<Buffer | 'not-regular' | 'too-large'> {
  const file = await open(path, READ_ONLY);
  try {
    const facts = await file.stat();
    if (!facts.isFile()) {
      return 'not-regular';
    }
    if (facts.size > YAML_LIMITS.fileBytes) {
      return 'too-large';
    }
    const chunk = Math.min(facts.size + 1, MAX_CHUNK_BYTES);
    return (await readAtMost(chunksOf(file, chunk), YAML_LIMITS.fileBytes)) ?? 'too-large';
  } finally {
    await file.close();
  }
}

const MAX_CHUNK_BYTES = 65_536;

/** Yields a file in chunks of a size, as a stream would; opening a stream takes longer than reading most files. */
async function* chunksOf(file: FileHandle, bytes: number): AsyncIterable<Uint8Array> {
  for (;;) {
    const { buffer, bytesRead } = await file.read(Buffer.allocUnsafe(bytes), 0, bytes);
    if (bytesRead === 0) {
      return;
    }
    yield buffer.subarray(0, bytesRead);
  }
}

const PROBLEMS = {
  'not-regular': (where: SourceSpan) => unreadable('it is not a regular file', where),
  'too-large': (where: SourceSpan) =>
    finding('yaml/too-large', {
      message: `the file has more than ${YAML_LIMITS.fileBytes / 1024 / 1024} MiB, and is not read`,
      hint: 'split it: several files may describe a scope, each of its phases in one of them',
      where,
    }),
} as const;

function notUtf8(file: string, odd: OddByte): Diagnostic {
  const { line, column } = odd;
  return finding('yaml/not-utf8', {
    message: `the file is not UTF-8 text: ${oddByteText(odd)}`,
    hint: odd.isUtf16
      ? 'save it as UTF-8: an editor offers it as encoding, PowerShell as `-Encoding utf8`'
      : 'save it as UTF-8',
    where: { file, start: { line, column }, end: { line, column: column + 1 } },
  });
}

function unreadable(reason: string, where: SourceSpan): Diagnostic {
  return finding('config/file-unreadable', {
    message: `the file cannot be read: ${reason}`,
    hint: 'check that it is a file and that you can read it',
    where,
  });
}

function topOf(file: string): SourceSpan {
  const top = { line: 1, column: 1 };
  return { file, start: top, end: top };
}

/** Files of a project as they were when first read: their texts are dropped, and read again when needed. */
export interface KnownFiles {
  readonly read: (path: string) => Promise<ReadSource>;
  /** Returns the same text again; null where the file has changed. */
  readonly again: (path: string) => Promise<SourceText | null>;
}

/** Starts with the project file known, and no other one. */
export function knownFiles(
  root: string,
  project: { readonly path: string; readonly read: ReadSource },
): KnownFiles {
  const checksums = new Map<string, number>();
  let realRoot: Promise<string> | undefined;
  const readIn = (path: string): Promise<ReadSource> => {
    realRoot ??= realpath(root);
    return readSource(root, path, realRoot);
  };
  return {
    read: async (path) => {
      const read = path === project.path ? project.read : await readIn(path);
      if (read.kind === 'read') {
        checksums.set(path, checksumOf(read.source));
      }
      return read;
    },
    again: async (path) => {
      const read = await readIn(path);
      return read.kind === 'read' && checksums.get(path) === checksumOf(read.source) ? read.source : null;
    },
  };
}

/**
 * Returns a checksum that detects an edit during the run. It does not guard against forgery: a hash that does would take longer to load than
 * everything else.
 */
function checksumOf({ text }: SourceText): number {
  return crc32(text);
}

/** Reads all bytes of a stream; undefined as soon as there are more than `most`. */
export async function readAtMost(
  stream: AsyncIterable<Uint8Array>,
  most: number,
): Promise<Buffer | undefined> {
  const chunks: Uint8Array[] = [];
  let size = 0;
  for await (const chunk of stream) {
    size += chunk.byteLength;
    if (size > most) {
      return undefined;
    }
    chunks.push(chunk);
  }
  return Buffer.concat(chunks, size);
}
