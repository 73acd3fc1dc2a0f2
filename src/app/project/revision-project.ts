import { mkdir, mkdtemp, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import type { OutlineResult, Project } from '../../config/load-project.ts';
import type { Revision } from './git-revision.ts';
import { openRevision } from './git-revision.ts';
import { outline } from './load.ts';
import type { Selection } from './selection.ts';

/** Files of a project end like this; a repository may hold much else. */
const FILES = /\.(ya?ml|json)$/i;

/**
 * The project as it was at a revision, whole, with the variables of this run. Throws `settings/no-revision`
 * when there is no such revision; files that are not valid are in the result.
 */
export async function loadRevision(
  { root, file }: Pick<Project, 'root' | 'file'>,
  revision: string,
  selection: Selection,
): Promise<OutlineResult> {
  const opened = await openRevision(root, revision);
  const folder = await mkdtemp(join(tmpdir(), 'rulewright-revision-'));
  try {
    await writeFiles(opened, { folder, projectFile: file });
    return await outline({ ...selection, cwd: folder, config: file, paths: [], targets: [] });
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

async function writeFiles(
  revision: Revision,
  { folder, projectFile }: { readonly folder: string; readonly projectFile: string },
): Promise<void> {
  const entries = (await revision.list()).filter(({ path }) => FILES.test(path) || path === projectFile);
  const contents = await revision.contents([...new Set(entries.map(({ id }) => id))]);
  // Links last, so that nothing is ever written through one.
  for (const { path, id, isLink } of [...entries].sort((a, b) => Number(a.isLink) - Number(b.isLink))) {
    const content = contents.get(id);
    if (content === undefined) {
      continue;
    }
    const target = join(folder, path);
    await mkdir(dirname(target), { recursive: true });
    await (isLink ? symlink(content.toString('utf8'), target) : writeFile(target, content));
  }
}
