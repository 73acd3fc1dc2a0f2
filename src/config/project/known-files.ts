import { realpath } from 'node:fs/promises';
import { crc32 } from 'node:zlib';

import type { SourceText } from '../source-text.ts';
import { readSource } from './read-source.ts';
import type { ReadSource } from './read-source.ts';

/** Files of a project as they were when they were read first: their texts are let go, and read again when they are needed again. */
export interface KnownFiles {
  readonly read: (path: string) => Promise<ReadSource>;
  /** The same text once more; null where the file is not what it was. */
  readonly again: (path: string) => Promise<SourceText | null>;
}

/** Begins with no file known. */
export function knownFiles(root: string): KnownFiles {
  const checksums = new Map<string, number>();
  let realRoot: Promise<string> | undefined;
  const readIn = (path: string): Promise<ReadSource> => {
    realRoot ??= realpath(root);
    return readSource(root, path, realRoot);
  };
  return {
    read: async (path) => {
      const read = await readIn(path);
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

/** Tells a file that was edited meanwhile; it does not guard against forgery, which would take longer to load than all the rest. */
function checksumOf({ text }: SourceText): number {
  return crc32(text);
}
