import { join, relative, sep } from 'node:path';

import type { Diagnostic } from '../../model/diagnostic.ts';
import { finding } from '../source/finding.ts';
import type { ScopeGroup } from './desired-scope.ts';
import type { Declaration } from './declaration.ts';

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
  groups: readonly ScopeGroup<unknown>[],
  { isSelected }: SelectedFiles,
): ReadonlySet<string> {
  const sharing = groups
    .filter((group) => group.files.some((file) => pathsOf(file).some((path) => isSelected(path))))
    .map((group) => group.files.map(({ path }) => path));
  return new Set([...files.filter((file) => isSelected(file)), ...sharing.flat()]);
}

/** Narrows scopes to their selected files, and to files with rules of selected packs; drops scopes without any. */
export function narrowGroups<Ruleset>(
  groups: readonly ScopeGroup<Ruleset>[],
  { isSelected }: SelectedFiles,
): readonly ScopeGroup<Ruleset>[] {
  return groups.flatMap((group) => {
    const files = group.files.filter((file) => pathsOf(file).some((path) => isSelected(path)));
    const complete = group.complete && files.length === group.files.length;
    return files.length === 0 ? [] : [{ ...group, files, complete }];
  });
}

/** Returns the paths of the file and of the packs that its rules come from. */
function pathsOf({ path, packs }: Declaration<unknown>): readonly string[] {
  return [path, ...packs];
}
