import { readdir, realpath, stat } from 'node:fs/promises';
import { join, relative, sep } from 'node:path';

import { realPathInside } from './inside.ts';

/**
 * Links below a folder of a project to folders outside of it, relative to the project folder with `/`. Whoever walked through one could walk
 * over the whole disk. Links to folders of the project are followed, as patterns do.
 */
export async function linksOut(root: string, folder: string): Promise<readonly string[]> {
  const realRoot = await realpath(root);
  const seen = new Set<string>();
  const found: string[] = [];
  const walk = async (real: string): Promise<void> => {
    if (seen.has(real)) {
      return;
    }
    seen.add(real);
    // That a folder cannot be read is told by the search for its files.
    const entries = await readdir(real, { withFileTypes: true }).catch(() => []);
    for (const entry of entries) {
      const path = join(real, entry.name);
      // Nor do patterns look into these.
      if (entry.name === 'node_modules' || entry.name.startsWith('.')) {
        continue;
      }
      if (entry.isDirectory()) {
        await walk(path);
      } else if (entry.isSymbolicLink() && (await isFolder(path))) {
        const inside = await realPathInside(realRoot, path);
        if (inside === undefined) {
          found.push(relative(realRoot, path).replaceAll(sep, '/'));
        } else {
          await walk(inside);
        }
      }
    }
  };
  const start = await realPathInside(realRoot, folder).catch(() => undefined);
  await (start === undefined ? undefined : walk(start));
  return found.sort();
}

async function isFolder(path: string): Promise<boolean> {
  const found = await stat(path).catch(() => undefined);
  return found?.isDirectory() === true;
}
