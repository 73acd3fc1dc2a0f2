import type { FileHold } from '../../files/hold-file.ts';
import { holdFile } from '../../files/hold-file.ts';
import { lockOf } from '../../files/lock-file.ts';

/** Holds a state file, so that no two emulators write it, and returns its release. Throws an error that names the process that holds it already. */
export async function holdStateFile(path: string): Promise<() => Promise<void>> {
  const hold = await tryToHold(path);
  if (hold.kind === 'held') {
    return hold.release;
  }
  const { holder } = hold;
  const who =
    holder === null ? 'another emulator' : `the emulator with the process id ${holder.pid} on ${holder.host}`;
  throw new Error(
    `the state file ${path} is in use by ${who}; stop that one or name another file (what a crash left is free within a minute; if no emulator runs, remove ${lockOf(path)})`,
  );
}

async function tryToHold(path: string): Promise<FileHold> {
  try {
    return await holdFile(path, Date.now);
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    throw new Error(
      `the state file ${path} cannot be held by one emulator: ${reason}; ${lockOf(path)} has to be a file that this user can read and write`,
      { cause: error },
    );
  }
}
