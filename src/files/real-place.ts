import { readlink, realpath } from 'node:fs/promises';
import { basename, dirname, join, resolve } from 'node:path';
import { isStream } from './streams.ts';

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
