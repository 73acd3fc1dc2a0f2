import { join, relative, sep, dirname } from 'node:path';
import { readdir, realpath } from 'node:fs/promises';
import type { Diagnostic } from '../../model/index.ts';
import { finding } from '../source/finding.ts';
import { findFiles, NODE_MODULES, isPattern, exists } from '../../files/index.ts';
import { spanAt } from '../source/source-text.ts';
import type { ScopeGroup, Declaration } from './desired-scope.ts';
import { PROJECT_FILE } from './find-project.ts';
import { listFiles } from './list-files.ts';
import type { FilePattern } from './list-files.ts';
import { readProjectFile } from './project-file.ts';
import type { ReadSource } from './read-source.ts';
import { readSource } from './read-source.ts';

/** Which files of the project a run is about. */
export interface SelectedFiles {
  readonly isSelected: (path: string) => boolean;
  readonly diagnostics: readonly Diagnostic[];
}

/** Selects the project's files that the named files and folders contain; all files when none is named. */
export function selectFiles(
  files: readonly string[],
  project: { readonly root: string; readonly selected: readonly string[] },
): SelectedFiles {
  const { root, selected } = project;
  if (selected.length === 0) {
    return { isSelected: () => true, diagnostics: [] };
  }
  const chosen = new Set<string>();
  const diagnostics: Diagnostic[] = [];
  for (const path of selected) {
    const members = files.filter((file) => {
      const absolute = join(root, file);
      return absolute === path || absolute.startsWith(path + sep);
    });
    if (members.length === 0) {
      diagnostics.push(
        finding('project/not-a-member', {
          message: `${relative(root, path).replaceAll(sep, '/') || '.'} is not among the files of the project`,
          hint: 'name a file that a pattern of `files` in the project file matches',
        }),
      );
    }
    for (const member of members) {
      chosen.add(member);
    }
  }
  return { isSelected: (path) => chosen.has(path), diagnostics };
}

/**
 * Returns the files whose findings count: the selected ones, and those that share a scope with one of them, because their declarations decide
 * whether the selected files are right.
 */
export function filesThatCount(
  files: readonly string[],
  groups: readonly ScopeGroup[],
  { isSelected }: SelectedFiles,
): ReadonlySet<string> {
  const sharing = groups
    .filter((group) => group.files.some((file) => pathsOf(file).some((path) => isSelected(path))))
    .map((group) => group.files.map(({ path }) => path));
  return new Set([...files.filter((file) => isSelected(file)), ...sharing.flat()]);
}

/** Narrows scopes to their selected files, and to files with rules of selected packs; drops scopes without any. */
export function narrowGroups(
  groups: readonly ScopeGroup[],
  { isSelected }: SelectedFiles,
): readonly ScopeGroup[] {
  return groups.flatMap((group) => {
    const files = group.files.filter((file) => pathsOf(file).some((path) => isSelected(path)));
    const complete = group.complete && files.length === group.files.length;
    return files.length === 0 ? [] : [{ ...group, files, complete }];
  });
}

/** Returns the paths of the file and of the packs that its rules come from. */
function pathsOf({ path, packs }: Declaration): readonly string[] {
  return [path, ...packs];
}

/** A project whose files were listed. */
interface ListedProject {
  readonly root: string;
  readonly file: string;
  readonly patterns: readonly FilePattern[];
  /** All files that its patterns match, packs included. */
  readonly matched: ReadonlySet<string>;
}

/**
 * Warns of zone and account files that lie near the files of a project but match none of its patterns, because of another extension or a deeper
 * folder: their rules would be missing silently. Files that name no scope, and files of other projects, are not reported.
 */
export async function leftOutFiles(project: ListedProject): Promise<readonly Diagnostic[]> {
  const { root, file, matched } = project;
  const found = await findFiles({
    patterns: [...new Set(project.patterns.map(({ pattern }) => loosened(pattern)))],
    cwd: root,
    passOver: NODE_MODULES,
    anyCase: true,
  });
  const others = found.files.filter((path) => YAML_FILE.test(path) && path !== file && !matched.has(path));
  const diagnostics: Diagnostic[] = [];
  for (const path of others.sort()) {
    diagnostics.push(...leftOut(await readSource(root, path), file));
  }
  if (diagnostics.length === 0) {
    return [];
  }
  const real = (path: string): Promise<string> => realpath(join(root, path)).catch(() => path);
  // A file that a link already leads to is not left out.
  const named = new Set(await Promise.all([...matched, ...(await filesOfOthers(project))].map(real)));
  const lone: Diagnostic[] = [];
  for (const one of diagnostics) {
    const path = one.where?.file ?? '';
    if (!named.has(await real(path)) && !(await isInProjectBelow(root, path))) {
      lone.push(one);
    }
  }
  return lone;
}

const YAML_FILE = /\.ya?ml$/iu;

const YAML_ENDING = '.{yaml,yml}';

/** Widens a pattern to both YAML extensions and to the folders below its own; a plain path becomes a pattern for all YAML files of its folder. */
function loosened(pattern: string): string {
  const [last = '', ...folders] = pattern.split('/').reverse();
  const name = isPattern(pattern)
    ? last.replace(/\.(?:ya?ml|\{ya?ml,ya?ml\})$/iu, YAML_ENDING)
    : `*${YAML_ENDING}`;
  const below =
    isPattern(pattern) && folders.length > 0 && !pattern.startsWith('*') && !pattern.includes('**');
  return [...folders.reverse(), ...(below ? ['**'] : []), name].join('/');
}

/** Matches the key that makes a document a zone or account file. */
const SCOPE_KEY = /^(["']?)(?:zones?|account)\1[ \t]*:/mu;

/** Matches the key of test files, which name a scope too. */
const TESTS = /^(["']?)tests\1[ \t]*:/mu;

function leftOut(read: ReadSource, projectFile: string): readonly Diagnostic[] {
  if (read.kind === 'unread') {
    return [];
  }
  const { path, text } = read.source;
  const key = SCOPE_KEY.exec(text);
  return key === null || TESTS.test(text)
    ? []
    : [
        finding('config/file-left-out', {
          message: `${path} is not loaded: no pattern of \`files\` matches it`,
          hint: `add it to \`files\` of ${projectFile}; if it is not to be loaded, keep it outside of their folders, or turn this off under \`lint\``,
          where: spanAt(read.source, key.index, key.index + key[0].length - 1),
        }),
      ];
}

/** Returns the files named by other project files of the same folder, such as one project file for each environment. */
async function filesOfOthers({ root, file }: ListedProject): Promise<readonly string[]> {
  const names = (await readdir(root)).filter((name) => YAML_FILE.test(name) && name !== file);
  const lists = await Promise.all(
    names.map(async (name) => listFiles(root, name, readProjectFile(await readSource(root, name)).patterns)),
  );
  return lists.flatMap(({ files }) => files);
}

async function isInProjectBelow(root: string, path: string): Promise<boolean> {
  for (let folder = dirname(path); folder !== '.'; folder = dirname(folder)) {
    if (await exists(join(root, folder, PROJECT_FILE))) {
      return true;
    }
  }
  return false;
}
