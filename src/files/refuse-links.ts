import { lstat } from 'node:fs/promises';
import { resolve, sep } from 'node:path';

/** Folder for what a project keeps to itself: caches, journals, schemas for editors, the state of the embedded service. */
export const OWN_FOLDER = '.rulewright';

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
      const message = `${at} is a symbolic link, and nothing in ${OWN_FOLDER} is followed through one: remove the link`;
      throw Object.assign(new Error(message), { code: 'ELOOP', syscall: 'lstat', path: at });
    }
  }
}
