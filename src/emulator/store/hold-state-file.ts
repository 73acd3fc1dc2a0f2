import { holdFile, lockOf } from '../../files/hold-file.ts';

/**
 * Holds a state file, so that no two emulators write it; answers what lets it go. Throws an error that names the process when another one
 * holds it.
 */
export async function holdStateFile(path: string): Promise<() => Promise<void>> {
  const hold = await holdFile(path, Date.now);
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
