import { isAbsolute, relative, sep } from 'node:path';

/** Whether a path is a folder or lies in it, judged by the paths alone, without following links. */
export function isInside(folder: string, path: string): boolean {
  const way = relative(folder, path);
  return way !== '..' && !way.startsWith(`..${sep}`) && !isAbsolute(way);
}
