import { readlink, realpath } from 'node:fs/promises';
import { basename, dirname, join, resolve } from 'node:path';
import { isStream } from './streams.ts';

/** Links followed at most, one after the other, as an operating system does: they may lead in a ring. */
const MOST_LINKS = 40;

/** Where links lead, also one to what is not there yet; a file that is not there is known by its folder. */
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
  // The folder first: what a link says is relative to where it really lies.
  const realFolder = await realPlace(folder, links);
  return target === undefined
    ? join(realFolder, basename(file))
    : realPlace(resolve(realFolder, target), links - 1);
}
