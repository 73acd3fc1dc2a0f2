import { open, readFile, rm } from 'node:fs/promises';
import { dirname } from 'node:path';

import { makeFolder } from '../../files/make-folder.ts';
import { isObject } from '../protocol/json.ts';

/** A state file held by one emulator. */
export interface StateLock {
  release(): Promise<void>;
}

/**
 * Holds a state file, so that no two emulators write it: a file beside it names the process. A lock of a process that is
 * gone is taken over. Throws an error that names the process when another one holds it.
 */
export async function lockStateFile(path: string): Promise<StateLock> {
  const lock = `${path}.lock`;
  await makeFolder(dirname(path));
  for (let attempt = 0; attempt < 3; attempt += 1) {
    if (await claim(lock)) {
      return { release: () => rm(lock, { force: true }) };
    }
    const holder = await holderOf(lock);
    if (holder !== undefined && isRunning(holder)) {
      throw new Error(
        `the state file ${path} is in use by the emulator with the process id ${holder}; stop that one or name another file (if no emulator runs, remove ${lock})`,
      );
    }
    await rm(lock, { force: true });
  }
  throw new Error(`the state file ${path} cannot be locked: somebody else keeps making ${lock}`);
}

async function claim(lock: string): Promise<boolean> {
  try {
    const file = await open(lock, 'wx');
    await file.writeFile(JSON.stringify({ pid: process.pid }));
    await file.close();
    return true;
  } catch (error) {
    if (isObject(error) && error['code'] === 'EEXIST') {
      return false;
    }
    throw error;
  }
}

async function holderOf(lock: string): Promise<number | undefined> {
  try {
    const content: unknown = JSON.parse(await readFile(lock, 'utf8'));
    const pid = isObject(content) ? content['pid'] : undefined;
    return typeof pid === 'number' ? pid : undefined;
  } catch {
    // Cut short by a crash, or just released.
    return undefined;
  }
}

function isRunning(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return isObject(error) && error['code'] === 'EPERM';
  }
}
