import { stat } from 'node:fs/promises';
import { basename, dirname, join, resolve } from 'node:path';
import type { Diagnostic } from '../../model/index.ts';
import { quoted } from '../../text/index.ts';
import { isMissing, explainMissing } from '../../files/index.ts';
import { finding } from '../source/finding.ts';

/** Name of the project file. */
export const PROJECT_FILE = 'rulewright.yaml';

/** Where a run looks for its project. */
export interface ProjectQuery {
  /** Absolute folder that relative paths start from. */
  readonly cwd: string;
  /** The project file, where it is named. */
  readonly config?: string | undefined;
  /** A project folder, or files and folders of the project that narrow the run. */
  readonly paths?: readonly string[] | undefined;
}

/** A project, and the part of it that is asked for. */
export type FoundProject =
  | {
      readonly kind: 'found';
      /** Absolute path of the project folder. */
      readonly root: string;
      /** Name of the project file in it. */
      readonly file: string;
      /** Absolute paths of files and folders that narrow the run; empty means everything. */
      readonly selected: readonly string[];
    }
  | { readonly kind: 'not-found'; readonly diagnostics: readonly Diagnostic[] };

/** Finds the named project file, or else the nearest one upwards. Never throws for a path that does not exist. */
export async function findProject(query: ProjectQuery): Promise<FoundProject> {
  const paths = (query.paths ?? []).map((path) => resolve(query.cwd, path));
  const missing = await Promise.all(
    paths.map((path, index) => missingPath(path, query.paths?.[index] ?? path)),
  );
  const diagnostics = missing.filter((diagnostic) => diagnostic !== undefined);
  if (diagnostics.length > 0) {
    return { kind: 'not-found', diagnostics };
  }
  return query.config === undefined ? nearest(query.cwd, paths) : named(query.cwd, query.config, paths);
}

async function named(cwd: string, config: string, paths: readonly string[]): Promise<FoundProject> {
  const file = resolve(cwd, config);
  return (await kindOf(file)) === 'file'
    ? {
        kind: 'found',
        root: dirname(file),
        file: basename(file),
        selected: narrowing(dirname(file), file, paths),
      }
    : notFound(
        `the project file ${config} does not exist`,
        (await near(file, config)) ?? 'name an existing file after `--config`',
      );
}

async function nearest(cwd: string, paths: readonly string[]): Promise<FoundProject> {
  const starts = paths.length === 0 ? [cwd] : await Promise.all(paths.map((path) => folderOf(path)));
  const roots = new Set(await Promise.all(starts.map((start) => rootAbove(start))));
  const [root, second] = [...roots];
  if (root === undefined) {
    return notFound(
      `there is no ${PROJECT_FILE} here or in a folder above`,
      'a project is a rulewright.yaml that names its files, such as `files: [zones/*.yaml]`: `rulewright init --zone NAME` makes one of what is live; `--config FILE` names another one',
    );
  }
  if (second !== undefined || roots.size > 1) {
    const message = 'the paths belong to different projects';
    return {
      kind: 'not-found',
      diagnostics: [finding('project/several', { message, hint: 'run the command once for each project' })],
    };
  }
  return {
    kind: 'found',
    root,
    file: PROJECT_FILE,
    selected: narrowing(root, join(root, PROJECT_FILE), paths),
  };
}

/** Returns the paths that narrow a run; none where they include the project folder or the project file, which stand for the whole project. */
function narrowing(root: string, file: string, paths: readonly string[]): readonly string[] {
  return paths.some((path) => path === root || path === file) ? [] : paths;
}

async function rootAbove(start: string): Promise<string | undefined> {
  for (let folder = start; ; folder = dirname(folder)) {
    if ((await kindOf(join(folder, PROJECT_FILE))) === 'file') {
      return folder;
    }
    if (dirname(folder) === folder) {
      return undefined;
    }
  }
}

async function folderOf(path: string): Promise<string> {
  return (await kindOf(path)) === 'folder' ? path : dirname(path);
}

async function missingPath(path: string, named: string): Promise<Diagnostic | undefined> {
  if ((await kindOf(path)) !== 'nothing') {
    return undefined;
  }
  const isScope = /^(?:account|zone|label):/u.test(named);
  return finding('config/file-not-found', {
    message: isScope ? `there is no file or folder ${quoted(named)}` : `${named} does not exist`,
    hint: isScope
      ? `plan, apply and drift take a scope by \`--target ${quoted(named)}\``
      : ((await near(path, named)) ??
        'a path is a project folder, or a file of the project; plan, apply and drift take a zone by `--target zone:NAME`'),
  });
}

async function near(path: string, named: string): Promise<string | undefined> {
  return (await explainMissing(path, named)).didYouMean;
}

async function kindOf(path: string): Promise<'file' | 'folder' | 'nothing'> {
  try {
    return (await stat(path)).isDirectory() ? 'folder' : 'file';
  } catch (error) {
    // A project file that cannot be accessed must not be passed over: one in a folder above has other guards.
    if (isMissing(error)) {
      return 'nothing';
    }
    throw error;
  }
}

function notFound(message: string, hint: string): FoundProject {
  return { kind: 'not-found', diagnostics: [finding('project/not-found', { message, hint })] };
}
