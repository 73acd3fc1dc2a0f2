import { realpath } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { findProject } from '../config/project/find-project.ts';
import type { FoundProject, ProjectQuery } from '../config/project/find-project.ts';
import { listFiles } from '../config/project/list-files.ts';
import { readProjectFile } from '../config/project/project-file.ts';
import { readSource } from '../config/project/read-source.ts';
import { listTestFiles } from '../config/tests/list-test-files.ts';

/**
 * Whether a file that exists belongs to the project around it, or to the one that is named: the project
 * file, a file or pack that it names, or a test file. A project that is not valid counts as far as it can be read.
 */
export async function isProjectFile(file: string, { cwd, config }: ProjectQuery): Promise<boolean> {
  const real = await realpath(file);
  const queries: readonly ProjectQuery[] = [
    { cwd: dirname(real) },
    ...(config === undefined ? [] : [{ cwd, config }]),
  ];
  for (const query of queries) {
    const files = await filesOf(await findProject(query));
    if (files.has(real)) {
      return true;
    }
  }
  return false;
}

async function filesOf(found: FoundProject): Promise<ReadonlySet<string>> {
  if (found.kind === 'not-found') {
    return new Set();
  }
  const { root, file } = found;
  const { patterns, packs } = readProjectFile(await readSource(root, file));
  const listed = await listFiles(root, file, [...patterns, ...packs]);
  const tests = await listTestFiles(root, []);
  const paths = [file, ...listed.files, ...tests.files].map((path) => realpath(join(root, path)));
  return new Set(await Promise.all(paths));
}
