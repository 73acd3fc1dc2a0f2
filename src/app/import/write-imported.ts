import { realpath } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import {
  realPathInside,
  withBreaksOf,
  readProjectFile,
  readSource,
  addPatterns,
  shownTexts,
} from '../../config/index.ts';
import { makeFolder, writeText, exists, isNamedBy } from '../../files/index.ts';
import { RulewrightError } from '../../model/index.ts';
import type { PendingFile } from '../../model/index.ts';
import { writeEditorSchemas } from '../project/editor-schemas.ts';
import type { ScopeFiles } from './scope-files.ts';
import type { ImportDestination, UsableDestination } from './destination.ts';
import { NEW_PROJECT_FILE, projectText } from './destination.ts';

/** A file that an import makes or changes, and its text. */
export interface NewText {
  readonly path: string;
  readonly text: string;
}

/** Returns the files that change, the project file first; writes nothing. Throws `import/outside`. */
export async function importedTexts(
  destination: UsableDestination,
  scopes: readonly ScopeFiles[],
): Promise<readonly NewText[]> {
  const made = new Map(scopes.flatMap((scope) => [...scope.texts]));
  const packs = new Map(scopes.flatMap((scope) => [...(scope.packs ?? [])]));
  const texts = [...made, ...packs].map(([path, text]) => ({ path, text }));
  const paths = texts.map(({ path }) => path);
  for (const path of paths) {
    await checkPlace(destination.root, path);
  }
  if (destination.kind === 'project') {
    return [...namedInProject(destination, [...made.keys()], [...packs.keys()]), ...texts];
  }
  if (texts.length === 0) {
    return [];
  }
  const patterns = patternsOf([...made.keys()].filter(isYaml)).toSorted();
  const accounts = [...new Set(scopes.map(({ accountId }) => accountId))].sort();
  return [
    {
      path: NEW_PROJECT_FILE,
      text: projectText(patterns, {
        scopes: scopes.length,
        accounts,
        secrets: destination.secrets,
        packs: patternsOf([...packs.keys()]),
        ...(destination.vars === undefined ? {} : { vars: destination.vars }),
      }),
    },
    ...texts,
  ];
}

/** Writes the changed files, each atomically and the project file last, and the schemas for editors. */
export async function writeImported(
  { kind, root }: UsableDestination,
  texts: readonly NewText[],
): Promise<void> {
  for (const { path, text } of texts.toReversed()) {
    await makeFolder(dirname(join(root, path)));
    await writeText(join(root, path), text);
  }
  if (kind === 'project' || texts.length > 0) {
    await writeEditorSchemas(root);
  }
}

/** Returns what would change, for a run that writes nothing. */
export async function pendingFiles(root: string, texts: readonly NewText[]): Promise<readonly PendingFile[]> {
  const pending: PendingFile[] = [];
  for (const { path, text } of texts) {
    const read = await readSource(root, path);
    const before = read.kind === 'read' ? read.source.text : '';
    pending.push({ path, ...shownTexts(path, { before, after: text }) });
  }
  return pending;
}

/** Whether the project file names a file; those with items of lists are named by the lists. */
function isYaml(path: string): boolean {
  return path.endsWith('.yaml');
}

function patternsOf(paths: readonly string[]): readonly string[] {
  return [...new Set(paths.map((path) => `${dirname(path)}/*.yaml`))];
}

/** Returns the project file with patterns for the new files and packs, if it does not name them all yet, and with what else it has to declare. */
function namedInProject(
  { project: { file }, texts, around }: Extract<ImportDestination, { readonly kind: 'project' }>,
  paths: readonly string[],
  packs: readonly string[],
): readonly NewText[] {
  const read = readProjectFile({ kind: 'read', source: around.file });
  const missing = (
    list: readonly { readonly pattern: string }[],
    all: readonly string[],
  ): readonly string[] => {
    const named = list.map(({ pattern }) => pattern);
    return patternsOf(all.filter((path) => isYaml(path) && !isNamedBy(named, path)));
  };
  const before = texts.get(file) ?? '';
  const text = addPatterns(around.file, {
    files: missing(read.patterns, paths),
    packs: missing(read.packs, packs),
  });
  return text === before ? [] : [{ path: file, text: withBreaksOf(before, text) }];
}

/** Throws `import/outside` for a path that a linked folder leads out of the project; files there would not be read as part of it either. */
async function checkPlace(root: string, path: string): Promise<void> {
  const top = await standing(root);
  const folder = await standing(dirname(join(root, path)));
  // Below a root that does not exist yet, nothing can lead out.
  if (top === root && (await realPathInside(await realpath(root), folder)) === undefined) {
    throw new RulewrightError(`${path} would be written outside of the project folder, behind a link`, {
      code: 'import/outside',
      fault: 'user',
      hint: 'replace the link by a folder',
    });
  }
}

/** Returns the folder or its nearest existing ancestor; if none exists, as on a missing Windows drive, the topmost one. */
async function standing(folder: string): Promise<string> {
  const above = dirname(folder);
  return above === folder || (await exists(folder)) ? folder : standing(above);
}
