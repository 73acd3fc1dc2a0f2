import { realpath, stat } from 'node:fs/promises';
import { dirname, join, relative, resolve, sep } from 'node:path';
import {
  findProject,
  listFiles,
  wouldList,
  readHead,
  listTestFiles,
  USUAL_TESTS,
} from '../../config/index.ts';
import type { FoundProject, ProjectFound, ProjectQuery } from '../../config/index.ts';
import { isNamedBy } from '../../files/index.ts';
import { LOCK_FILE } from '../../model/index.ts';

/**
 * Whether an existing file belongs to the project around it, or to the one that is named: the project file, a zone, account or pack
 * file that it names, a test file, or the lock of managed rules. An invalid project counts as far as it can be read.
 */
export async function isProjectFile(file: string, { cwd, config }: ProjectQuery): Promise<boolean> {
  const real = await realpath(file);
  for (const query of queriesFor(real, { cwd, config })) {
    const files = await realFiles(await findProject(query));
    if (files.has(real)) {
      return true;
    }
  }
  return false;
}

/**
 * Whether a file that does not exist yet would belong to the project around it, or to the named one: by a pattern, as a test, or as the lock of
 * managed rules. `place` is its path with links resolved.
 */
export async function wouldBeProjectFile(place: string, query: ProjectQuery): Promise<boolean> {
  for (const one of queriesFor(place, query)) {
    const found = await findProject(one);
    if (found.kind === 'found' && (await wouldRead(found, place))) {
      return true;
    }
  }
  return false;
}

async function wouldRead({ root, file }: ProjectFound, place: string): Promise<boolean> {
  const path = relative(await realpath(root), place).replaceAll(sep, '/');
  const { patterns, packs } = (await readHead({}, { root, file })).file;
  return path === LOCK_FILE || wouldList([...patterns, ...packs], path) || isNamedBy([USUAL_TESTS], path);
}

/** Returns the queries for the project around a file, and for the named one. */
function queriesFor(file: string, { cwd, config }: ProjectQuery): readonly ProjectQuery[] {
  return [{ cwd: dirname(file) }, ...(config === undefined ? [] : [{ cwd, config }])];
}

/** Whether the path of a written scope file is a file that no project names, so that validate, plan and apply do not see it. */
export async function isOutsideProject(path: string, query: ProjectQuery): Promise<boolean> {
  const file = resolve(query.cwd, path);
  return (await stat(file)).isFile() && !(await isProjectFile(file, query));
}

/** Lists the zone and account files of a project, its packs and its tests, relative to its folder; faults are not reported. */
export async function filesOfProject({ root, file }: ProjectFound): Promise<readonly string[]> {
  const { patterns, packs } = (await readHead({}, { root, file })).file;
  const declared = await listFiles(root, file, patterns);
  const listed = await listFiles(root, file, packs);
  const tests = await listTestFiles(root, []);
  return [...new Set([...declared.files, ...listed.files, ...tests.files])];
}

async function realFiles(found: FoundProject): Promise<ReadonlySet<string>> {
  if (found.kind === 'not-found') {
    return new Set();
  }
  const all = [found.file, LOCK_FILE, ...(await filesOfProject(found))];
  const paths = all.map((path) => realpath(join(found.root, path)));
  // The lock may not exist, and a path that does not exist cannot be the file in question.
  const there = (await Promise.allSettled(paths)).filter((path) => path.status === 'fulfilled');
  return new Set(there.map(({ value }) => value));
}
