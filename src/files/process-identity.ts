import { readFile, readlink } from 'node:fs/promises';
import { hostname } from 'node:os';
import { kill, pid, platform } from 'node:process';
import { errorCode } from './error-code.ts';

/** A process, distinguishable from one that gets its number later, or has it in another space. */
export interface ProcessIdentity {
  readonly pid: number;
  readonly host: string;
  /** The space in which the process number is valid; empty when it is not known. */
  readonly space: string;
  /** Start of the process, as the system counts; null when the system does not tell. */
  readonly begun: string | null;
}

/** Returns the identity of this process. */
export async function ownIdentity(): Promise<ProcessIdentity> {
  return { pid, host: hostname(), space: await processSpace(), begun: await beginOf(pid) };
}

/**
 * Whether a process still exists; `unknown` when its number is not valid here, or may belong to another process by now. Nothing proves that a process
 * in another space is gone: containers with one host name can run side by side, clones of a machine share everything that names it, and some
 * containers have a boot id of their own beside others of their machine.
 */
export async function fateOf({
  pid: number,
  space,
  begun,
}: ProcessIdentity): Promise<'alive' | 'gone' | 'unknown'> {
  if (space === '' || space !== (await processSpace())) {
    return 'unknown';
  }
  if (!isThere(number)) {
    return 'gone';
  }
  const now = await beginOf(number);
  return now === null || begun === null ? 'unknown' : now === begun ? 'alive' : 'gone';
}

/**
 * Returns the space in which process numbers are valid: on Linux, one boot of the kernel and a pid namespace in it, which containers with one host
 * name do not share; empty in a container that hides them. On other systems, the host.
 */
async function processSpace(): Promise<string> {
  try {
    const boot = (await readFile('/proc/sys/kernel/random/boot_id', 'utf8')).trim();
    return boot === '' ? '' : `${boot} ${await readlink('/proc/self/ns/pid')}`;
  } catch {
    return platform === 'linux' ? '' : hostname();
  }
}

/** Returns the start of a process in ticks since boot: the 20th field after the process name, which may contain anything. */
async function beginOf(number: number): Promise<string | null> {
  try {
    const stat = await readFile(`/proc/${number}/stat`, 'utf8');
    return stat.slice(stat.lastIndexOf(')') + 2).split(' ')[19] ?? null;
  } catch {
    return null;
  }
}

function isThere(number: number): boolean {
  try {
    kill(number, 0);
    return true;
  } catch (error) {
    return errorCode(error) === 'EPERM';
  }
}
