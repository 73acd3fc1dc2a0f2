import { lstat } from 'node:fs/promises';
import { dirname, resolve, sep } from 'node:path';
import { DeniedWrite } from './file-errors.ts';

/** Folder for what a project keeps to itself: caches, journals, schemas for editors, the state of the embedded service. */
export const OWN_FOLDER = '.rulewright';

/** A symbolic link that is not followed; `ELOOP`, as the system calls it. */
class RefusedLink extends Error {
  readonly code = 'ELOOP';
  readonly syscall = 'open';
  readonly path: string;

  constructor(path: string, where: string) {
    super(`${path} is a symbolic link, and ${where} none is followed`);
    this.path = path;
  }
}

/** Returns the error for a lock that is a symbolic link. */
export function refusedLock(path: string): Error {
  return new RefusedLink(path, 'for a lock');
}

/** Returns how to mend a refused link, or a file that may not be written; undefined for any other error. */
export function hintForFile(error: unknown): string | undefined {
  if (error instanceof DeniedWrite) {
    return `let this user write in ${dirname(error.path)}, or work in another folder`;
  }
  return error instanceof RefusedLink
    ? `remove the link ${error.path}, or put what it leads to in its place`
    : undefined;
}

/**
 * Rejects, with `ELOOP`, for a path at or below a `.rulewright` that leads through a symbolic link there: a checkout or an archive could contain one,
 * and a run would read, replace or prune files anywhere. Links above it are the user's own. What does not exist is no link.
 */
export async function refuseLinks(path: string): Promise<void> {
  const names = resolve(path).split(sep);
  const own = names.lastIndexOf(OWN_FOLDER);
  const above = own === -1 ? names : names.slice(0, own);
  for (const index of names.slice(above.length).keys()) {
    const at = names.slice(0, above.length + index + 1).join(sep);
    const found = await lstat(at).catch(() => null);
    if (found === null) {
      return;
    }
    if (found.isSymbolicLink()) {
      throw new RefusedLink(at, `in ${OWN_FOLDER}`);
    }
  }
}
