import { readFile, stat } from 'node:fs/promises';
import { dirname } from 'node:path';

import writeFileAtomic from 'write-file-atomic';

import { makeFolder } from '../../files/make-folder.ts';
import { isObject } from '../json.ts';
import { decodeState, encodeState } from './state-format.ts';
import type { Store, StoreContent } from './store.ts';

/** Where a store is kept: the content found there, and how to keep the store's content of now. */
export interface Keeper {
  readonly content: StoreContent | undefined;
  save(store: Store): Promise<void>;
}

/** Keeps nothing. */
export const memory: Keeper = { content: undefined, save: () => Promise.resolve() };

/**
 * Opens a state file; a file that does not exist yet has no content. Every save replaces the file as a whole, so that a
 * kill at any moment leaves the old state or the new one. Throws when the file is damaged or of another version, or is none: a pipe
 * would be waited for.
 */
export async function openStateFile(path: string): Promise<Keeper> {
  const text = await readText(path);
  await makeFolder(dirname(path));
  return { content: text === undefined ? undefined : decodeState(text, path), save: createSaver(path) };
}

async function readText(path: string): Promise<string | undefined> {
  try {
    if (!(await stat(path)).isFile()) {
      throw new Error('it is not a regular file');
    }
    return await readFile(path, 'utf8');
  } catch (error) {
    if (isObject(error) && error['code'] === 'ENOENT') {
      return undefined;
    }
    throw new Error(`cannot read the state file ${path}`, { cause: error });
  }
}

/** Writes one after the other; those who wait while one is being written share the next. */
function createSaver(path: string): (store: Store) => Promise<void> {
  let running: Promise<void> | undefined;
  let waiting: Promise<void> | undefined;
  const write = async (store: Store): Promise<void> => {
    waiting = undefined;
    running = writeFileAtomic(path, encodeState(store.content()));
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
