import { readlink, realpath } from 'node:fs/promises';
import { basename, dirname, join, resolve, isAbsolute, relative, sep } from 'node:path';

/** Paths of the process's streams and of the null device: writing to them replaces no file. */
const STREAMS: ReadonlySet<string> = new Set(['/dev/null', '/dev/stdout', '/dev/stderr']);

/** Whether an absolute path names a stream. */
export function isStream(file: string): boolean {
  return STREAMS.has(file);
}

/** Most links that are followed one after the other, as in an operating system: they may form a ring. */
const MOST_LINKS = 40;

/** Returns a path with its links resolved, including a link to a file that does not exist yet. */
export async function realPlace(file: string, links = MOST_LINKS): Promise<string> {
  if (isStream(file)) {
    return file;
  }
  const real = await realpath(file).catch(() => undefined);
  if (real !== undefined) {
    return real;
  }
  const folder = dirname(file);
  if (folder === file) {
    return file;
  }
  const target = links === 0 ? undefined : await readlink(file).catch(() => undefined);
  // The folder first, since the target of a link is relative to the link's real folder.
  const realFolder = await realPlace(folder, links);
  return target === undefined
    ? join(realFolder, basename(file))
    : realPlace(resolve(realFolder, target), links - 1);
}

/** Whether a path is a folder or lies in it, judged by the paths alone, without following links. */
export function isInside(folder: string, path: string): boolean {
  const way = relative(folder, path);
  return way !== '..' && !way.startsWith(`..${sep}`) && !isAbsolute(way);
}
