import { mkdir, mkdtemp, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import type { LargeProject } from '../../config/index.ts';
import type { Revision } from './git-revision.ts';
import { openRevision } from './git-revision.ts';

/** Extensions of project files and of those that hold items of lists; a repository may hold many other files. */
const FILES = /\.(ya?ml|json|csv|txt)$/i;

/** The files of a project as they were at a revision, in a folder of their own. */
export interface RevisionFiles {
  readonly revision: string;
  readonly folder: string;
  /** Whether the revision has a file of this path. */
  has(path: string): boolean;
}

/**
 * Writes the files that a project had at a revision, and those of its present files that existed then, into a temporary folder,
 * which is removed after `use`. Throws `settings/no-revision` if there is no such revision.
 */
export async function atRevision<Result>(
  project: Pick<LargeProject, 'root' | 'all'>,
  revision: string,
  use: (files: RevisionFiles) => Promise<Result>,
): Promise<Result> {
  const opened = await openRevision(project.root, revision);
  const folder = await mkdtemp(join(tmpdir(), 'rulewright-revision-'));
  try {
    const written = await writeFiles(opened, folder, new Set(project.all));
    return await use({ revision, folder, has: (path) => written.has(path) });
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

/** Writes the files that may belong to the project; returns their paths. */
async function writeFiles(
  revision: Revision,
  folder: string,
  known: ReadonlySet<string>,
): Promise<ReadonlySet<string>> {
  const entries = (await revision.list()).filter(({ path }) => FILES.test(path) || known.has(path));
  const contents = await revision.contents([...new Set(entries.map(({ id }) => id))]);
  const written = new Set<string>();
  // Links last, so that nothing is ever written through one.
  for (const { path, id, isLink } of [...entries].sort((a, b) => Number(a.isLink) - Number(b.isLink))) {
    const content = contents.get(id);
    if (content === undefined) {
      continue;
    }
    const target = join(folder, path);
    await mkdir(dirname(target), { recursive: true });
    await (isLink ? symlink(content.toString('utf8'), target) : writeFile(target, content));
    written.add(path);
  }
  return written;
}
