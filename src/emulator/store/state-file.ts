import { dirname } from 'node:path';

import writeFileAtomic from 'write-file-atomic';

import { makeFolder } from '../../files/make-folder.ts';
import { isMissing } from '../../files/missing.ts';
import { refuseLinks } from '../../files/refuse-links.ts';
import { readText } from '../../files/read-text.ts';
import { decodeState, encodeState } from './state-format.ts';
import type { Store, StoreContent } from './store.ts';

/** Where a store is persisted: the content found there, and how to save the current content. */
export interface Keeper {
  readonly content: StoreContent | undefined;
  save(store: Store): Promise<void>;
}

/** Persists nothing. */
export const memory: Keeper = { content: undefined, save: () => Promise.resolve() };

/**
 * Opens a state file; a file that does not exist yet has no content. Each save replaces the whole file, so that a kill
 * at any moment leaves either the old state or the new one. Throws when the file is damaged, of another version, or not
 * a regular file (reading a pipe would block).
 */
export async function openStateFile(path: string): Promise<Keeper> {
  await refuseLinks(path);
  const text = await textIn(path);
  await makeFolder(dirname(path));
  return { content: text === undefined ? undefined : decodeState(text, path), save: createSaver(path) };
}

async function textIn(path: string): Promise<string | undefined> {
  const read = await readText(path, path);
  if (read.kind === 'text') {
    return read.text;
  }
  if (isMissing(read.cause)) {
    return undefined;
  }
  throw new Error(`the state file ${path} ${read.reason}`, { cause: read.cause });
}

/** Creates a save function that never writes twice at once: all saves requested during a write share the next write. */
function createSaver(path: string): (store: Store) => Promise<void> {
  let running: Promise<void> | undefined;
  let waiting: Promise<void> | undefined;
  const write = async (store: Store): Promise<void> => {
    waiting = undefined;
    running = refuseLinks(path).then(() => writeFileAtomic(path, encodeState(store.content())));
    await running.finally(() => {
      running = undefined;
    });
  };
  return (store) => {
    if (running === undefined && waiting === undefined) {
      return write(store);
    }
    waiting ??= (running ?? Promise.resolve()).catch(() => undefined).then(() => write(store));
    return waiting;
  };
}
