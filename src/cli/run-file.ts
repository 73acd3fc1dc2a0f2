import type { FileUse } from './flag.ts';

/** A file of a run, and the words that name it. */
export interface RunFile {
  readonly words: string;
  readonly path: string;
  readonly use: FileUse;
}
