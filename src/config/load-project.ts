import pLimit from 'p-limit';

import type { Diagnostic } from '../model/diagnostic.ts';
import { hasErrors, sortDiagnostics } from '../model/diagnostic.ts';
import type { DesiredScope } from '../model/state.ts';
import { checkScope } from './checks/check-scope.ts';
import type { CheckSettings } from './checks/check-scope.ts';
import { checkWithLanguage } from './checks/expression-checker.ts';
import type { ExpressionChecker } from './checks/expression-checker.ts';
import { desiredScope, groupByScope } from './project/desired-scope.ts';
import type { ScopeGroup } from './project/desired-scope.ts';
import { findProject } from './project/find-project.ts';
import type { ProjectQuery } from './project/find-project.ts';
import { listFiles } from './project/list-files.ts';
import { filesThatCount, narrowGroups, selectFiles } from './project/narrow.ts';
import type { SelectedFiles } from './project/narrow.ts';
import { readProjectFile } from './project/project-file.ts';
import { readSource } from './project/read-source.ts';
import type { ReadSource } from './project/read-source.ts';
import { readScopeFile } from './project/scope-file.ts';
import type { ReadScopeFile } from './project/scope-file.ts';
import type { Settings } from './project/settings.ts';
import { parseYaml } from './yaml/parse-yaml.ts';

/** What to load, and how expressions are checked. */
export interface LoadOptions extends ProjectQuery {
  /** Checks the text of an expression; the rules language unless given. */
  readonly checkExpression?: ExpressionChecker;
}

/** A project that was loaded without errors. */
export interface Project {
  /** Absolute path of the project folder. */
  readonly root: string;
  /** Name of the project file in it. */
  readonly file: string;
  readonly settings: Settings;
  readonly scopes: readonly DesiredScope[];
  /** The files that took part, relative to the project folder. */
  readonly files: readonly string[];
}

/** A loaded project or the reasons against it; findings are sorted, `sources` serves code frames. */
export type LoadResult =
  | {
      readonly kind: 'loaded';
      readonly project: Project;
      readonly diagnostics: readonly Diagnostic[];
      readonly sources: ReadonlyMap<string, string>;
    }
  | {
      readonly kind: 'invalid';
      readonly diagnostics: readonly Diagnostic[];
      readonly sources: ReadonlyMap<string, string>;
    };

/** Files that are read at the same time. */
const OPEN_FILES = 16;

/**
 * Finds, reads and checks a project: all findings of all files in one run. Bad input is never thrown;
 * a result of kind `loaded` has no finding that is an error.
 */
export async function loadProject(options: LoadOptions): Promise<LoadResult> {
  const found = await findProject(options);
  if (found.kind === 'not-found') {
    return { kind: 'invalid', diagnostics: found.diagnostics, sources: new Map() };
  }
  const { root, file } = found;
  const projectSource = await readSource(root, file);
  const head = readProjectFile(projectSource);
  const listed = await listFiles(root, file, head.patterns);
  const limit = pLimit(OPEN_FILES);
  const read = await Promise.all(listed.files.map((path) => limit(() => readSource(root, path))));
  const selection = selectFiles(listed.files, found);
  const scopes = readScopes(read, selection, {
    settings: head.settings,
    checkExpression: options.checkExpression ?? checkWithLanguage,
  });
  const diagnostics = sortDiagnostics([
    ...head.diagnostics,
    ...listed.diagnostics,
    ...(hasErrors(head.diagnostics) ? [] : selection.diagnostics),
    ...scopes.diagnostics,
  ]);
  const sources = textsOf([projectSource, ...read]);
  if (hasErrors(diagnostics)) {
    return { kind: 'invalid', diagnostics, sources };
  }
  const project: Project = {
    root,
    file,
    settings: head.settings,
    scopes: narrowGroups(scopes.groups, selection).map((group) => desiredScope(group, head.settings)),
    files: listed.files.filter((path) => selection.isSelected(path)),
  };
  return { kind: 'loaded', project, diagnostics, sources };
}

/** Parses and checks the zone and account files; findings of files that do not count are left out. */
function readScopes(
  read: readonly ReadSource[],
  selection: SelectedFiles,
  settings: CheckSettings,
): { readonly groups: readonly ScopeGroup[]; readonly diagnostics: readonly Diagnostic[] } {
  const files = read.map((one) => readOne(one));
  const groups = groupByScope(files.flatMap(({ file }) => (file === undefined ? [] : [file])));
  const counting = filesThatCount(
    read.map((one) => pathOf(one)),
    groups,
    selection,
  );
  const diagnostics = [
    ...files.flatMap((one) => one.diagnostics),
    ...groups.flatMap((group) => checkScope(group, settings)),
  ];
  return {
    groups,
    diagnostics: diagnostics.filter(({ where }) => where === undefined || counting.has(where.file)),
  };
}

function readOne(read: ReadSource): ReadScopeFile {
  if (read.kind === 'unread') {
    return { diagnostics: [read.diagnostic] };
  }
  const { document, diagnostics } = parseYaml(read.source);
  if (document === undefined) {
    return { diagnostics };
  }
  const file = readScopeFile(document);
  return { ...file, diagnostics: [...diagnostics, ...file.diagnostics] };
}

function pathOf(read: ReadSource): string {
  return read.kind === 'read' ? read.source.path : read.path;
}

function textsOf(read: readonly ReadSource[]): ReadonlyMap<string, string> {
  return new Map(
    read.flatMap((one) => (one.kind === 'read' ? [[one.source.path, one.source.text] as const] : [])),
  );
}
