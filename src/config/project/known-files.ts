import { createHash } from 'node:crypto';

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
  const digests = new Map<string, string>();
  return {
    read: async (path) => {
      const read = await readSource(root, path);
      if (read.kind === 'read') {
        digests.set(path, digestOf(read.source));
      }
      return read;
    },
    again: async (path) => {
      const read = await readSource(root, path);
      return read.kind === 'read' && digests.get(path) === digestOf(read.source) ? read.source : null;
    },
  };
}

function digestOf({ text }: SourceText): string {
  return createHash('sha256').update(text).digest('base64');
}
