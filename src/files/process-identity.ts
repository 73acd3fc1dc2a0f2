import { readFile, readlink } from 'node:fs/promises';
import { hostname } from 'node:os';
import { kill, pid, platform } from 'node:process';
import { errorCode } from './error-code.ts';

/** A process, so that it can be told apart from one that gets its number later or has it elsewhere. */
export interface ProcessIdentity {
  readonly pid: number;
  readonly host: string;
  /** Where its number means something; empty where that is not known. */
  readonly space: string;
  /** When it began, as the system counts; null where the system does not say. */
  readonly begun: string | null;
}

/** This process. */
export async function ownIdentity(): Promise<ProcessIdentity> {
  return { pid, host: hostname(), space: await processSpace(), begun: await beginOf(pid) };
}

/**
 * Whether a process is still there; `unknown` where its number means nothing here, or may be that of another one by now. Nothing proves of
 * a process in another space that it is gone: containers of one host name can live side by side, clones of a machine share all that names
 * it, and some containers have a boot of their own beside others of their machine.
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
 * Where numbers of processes mean something: on Linux one boot of the kernel and one name space in it, which containers of one host name do
 * not share; empty in a container that hides them. Elsewhere the host.
 */
async function processSpace(): Promise<string> {
  try {
    const boot = (await readFile('/proc/sys/kernel/random/boot_id', 'utf8')).trim();
    return boot === '' ? '' : `${boot} ${await readlink('/proc/self/ns/pid')}`;
  } catch {
    return platform === 'linux' ? '' : hostname();
  }
}

/** The start of a process in ticks since the boot: what stands twenty places behind its name, which may hold anything. */
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
