import { realpath } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { realPathInside } from '../../config/project/inside.ts';
import { withBreaksOf } from '../../config/source/line-breaks.ts';
import { listFiles } from '../../config/project/list-files.ts';
import { readProjectFile } from '../../config/project/project-file.ts';
import { readSource } from '../../config/project/read-source.ts';
import { addFilePatterns } from '../../config/write/add-file-patterns.ts';
import { makeFolder } from '../../files/make-folder.ts';
import { exists } from '../../files/missing.ts';
import { writeText } from '../../files/write-text.ts';
import { RulewrightError } from '../../model/error.ts';
import type { ScopeFiles } from './scope-files.ts';
import type { ImportDestination } from './destination.ts';
import { NEW_PROJECT_FILE, projectText } from './destination.ts';
import { writeEditorSchemas } from '../project/editor-schemas.ts';

/** Writes what changes, each file whole or not at all, the project file last. Answers the paths of what was written. */
export async function writeImported(
  destination: Exclude<ImportDestination, { readonly kind: 'invalid' }>,
  scopes: readonly ScopeFiles[],
): Promise<readonly string[]> {
  const texts = new Map(scopes.flatMap((scope) => [...scope.texts]));
  for (const path of texts.keys()) {
    await checkPlace(destination.root, path);
  }
  for (const [path, text] of texts) {
    await write(destination.root, path, text);
  }
  const patterns = [...new Set([...texts.keys()].map((path) => `${dirname(path)}/*.yaml`))].sort();
  if (destination.kind === 'new') {
    if (texts.size === 0) {
      return [];
    }
    const accounts = [...new Set(scopes.map(({ accountId }) => accountId))].sort();
    await write(destination.root, NEW_PROJECT_FILE, projectText(patterns, accounts));
    await writeEditorSchemas(destination.root);
    return [NEW_PROJECT_FILE, ...texts.keys()];
  }
  await writeEditorSchemas(destination.root);
  const named = await nameInProject(destination.root, destination.project.file, [...texts.keys()]);
  return [...named, ...texts.keys()];
}

/** Sees to it that the project names its new files. */
async function nameInProject(
  root: string,
  file: string,
  paths: readonly string[],
): Promise<readonly string[]> {
  const read = await readSource(root, file);
  const { patterns } = readProjectFile(read);
  const { files } = await listFiles(root, file, patterns);
  const missing = [
    ...new Set(paths.filter((path) => !files.includes(path)).map((path) => `${dirname(path)}/*.yaml`)),
  ];
  if (read.kind !== 'read' || missing.length === 0) {
    return [];
  }
  const text = addFilePatterns(read.source, missing);
  if (text === undefined) {
    return [];
  }
  await write(root, file, withBreaksOf(read.source.text, text));
  return [file];
}

/** A folder that is a link may lead anywhere; what it leads to would not be read as a file of the project either. */
async function checkPlace(root: string, path: string): Promise<void> {
  await makeFolder(root);
  const folder = dirname(join(root, path));
  if ((await realPathInside(await realpath(root), await standing(folder))) === undefined) {
    throw new RulewrightError(`${path} would be written outside of the project folder, behind a link`, {
      code: 'import/outside',
      fault: 'user',
      hint: 'replace the link by a folder',
    });
  }
}

async function write(root: string, path: string, text: string): Promise<void> {
  await makeFolder(dirname(join(root, path)));
  await writeText(join(root, path), text);
}

/** The folder, or the next one above that is there. */
async function standing(folder: string): Promise<string> {
  return (await exists(folder)) ? folder : standing(dirname(folder));
}
