import pLimit from 'p-limit';

import type { Diagnostic } from '../model/diagnostic.ts';
import { hasErrors } from '../model/diagnostic.ts';
import type { Environment } from '../model/sensitive.ts';
import type { SourceSpan } from '../model/source.ts';
import type { DesiredScope } from '../model/state.ts';
import { checkScope } from './checks/check-scope.ts';
import type { CheckSettings } from './checks/check-scope.ts';
import { checkOnce, checkWithLanguage } from './checks/expression-checker.ts';
import type { ExpressionChecker } from './checks/expression-checker.ts';
import type { GivenVariables } from './compose/command-line.ts';
import { composeProject } from './compose/compose-project.ts';
import { eachOnce } from './each-once.ts';
import { lintScope } from './lint/lint-scope.ts';
import { judge } from './lint/judge.ts';
import type { Severities } from './lint/severities.ts';
import { desiredScope, groupByScope } from './project/desired-scope.ts';
import type { ScopeGroup } from './project/desired-scope.ts';
import { findProject } from './project/find-project.ts';
import type { ProjectQuery } from './project/find-project.ts';
import { listFiles } from './project/list-files.ts';
import { createListUses } from './project/list-uses.ts';
import { filesThatCount, narrowGroups, selectFiles } from './project/narrow.ts';
import type { SelectedFiles } from './project/narrow.ts';
import { readProjectFile } from './project/project-file.ts';
import type { ProjectFile } from './project/project-file.ts';
import { readSource } from './project/read-source.ts';
import type { ReadSource } from './project/read-source.ts';
import type { Settings } from './project/settings.ts';

/** What to load, and how expressions are checked. */
export interface LoadOptions extends ProjectQuery {
  /** Checks the text of an expression; the rules language unless given. */
  readonly checkExpression?: ExpressionChecker;
  /** What the environment says; variables of `env` are looked up in it. */
  readonly environment?: Environment;
  /** Values that the command line gives to variables, as texts. */
  readonly variables?: GivenVariables;
}

/** A project that was loaded without errors. */
export interface Project {
  /** Absolute path of the project folder. */
  readonly root: string;
  /** Name of the project file in it. */
  readonly file: string;
  readonly settings: Settings;
  readonly severities: Severities;
  readonly scopes: readonly DesiredScope[];
  /** The files that took part, relative to the project folder. */
  readonly files: readonly string[];
  /** All pack files, relative to the project folder. */
  readonly packs: readonly string[];
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
  const packs = await listFiles(root, file, head.packs);
  const listed = await listFiles(root, file, head.patterns);
  const paths = listed.files.filter((path) => !packs.files.includes(path));
  const limit = pLimit(OPEN_FILES);
  const readAll = (names: readonly string[]): Promise<readonly ReadSource[]> =>
    Promise.all(names.map((path) => limit(() => readSource(root, path))));
  const read = { packs: await readAll(packs.files), files: await readAll(paths) };
  const selection = selectFiles([...paths, ...packs.files], found);
  const scopes = readScopes(read, selection, { head, options });
  const sources = textsOf([projectSource, ...read.packs, ...read.files]);
  const all = [
    ...head.diagnostics,
    ...packs.diagnostics,
    ...listed.diagnostics,
    ...(hasErrors(head.diagnostics) ? [] : selection.diagnostics),
    ...scopes.diagnostics,
  ];
  const whole = found.selected.length === 0 && !hasErrors(all);
  const diagnostics = judge(
    all.map((one) => promised(one, selection)),
    {
      severities: head.severities,
      sources: new Map([...sources].filter(([path]) => !scopes.isLeftOut(path))),
      isComplete: (path) => whole || (!hasErrors(all) && selection.isSelected(path)),
    },
  );
  if (hasErrors(diagnostics)) {
    return { kind: 'invalid', diagnostics, sources };
  }
  const groups = narrowGroups(scopes.groups, selection);
  const listUses = createListUses();
  const project: Project = {
    root,
    file,
    settings: head.settings,
    severities: head.severities,
    scopes: groups.map((group) => desiredScope(group, head.settings, listUses)),
    files: filesOf(groups),
    packs: packs.files,
  };
  return { kind: 'loaded', project, diagnostics, sources };
}

/** A finding that says of itself that it can be fixed only where the fix would be made: in the files that are selected. */
function promised(found: Diagnostic, { isSelected }: SelectedFiles): Diagnostic {
  const { fixable, ...rest } = found;
  return fixable === undefined || found.where === undefined || isSelected(found.where.file) ? found : rest;
}

interface Read {
  readonly packs: readonly ReadSource[];
  readonly files: readonly ReadSource[];
}

/** Parses, composes and checks the zone and account files; findings of files that do not count are left out. */
function readScopes(
  read: Read,
  selection: SelectedFiles,
  { head, options }: { readonly head: ProjectFile; readonly options: LoadOptions },
): {
  readonly groups: readonly ScopeGroup[];
  readonly isLeftOut: (path: string) => boolean;
  readonly diagnostics: readonly Diagnostic[];
} {
  const { files, diagnostics: composed } = composeProject(read, {
    head,
    environment: options.environment ?? {},
    given: options.variables ?? new Map(),
  });
  const groups = groupByScope(files);
  const counting = filesThatCount(
    read.files.map((one) => pathOf(one)),
    groups,
    selection,
  );
  const leftOut = new Set(read.files.map((one) => pathOf(one)).filter((path) => !counting.has(path)));
  const settings: CheckSettings = {
    settings: head.settings,
    checkExpression: checkOnce(options.checkExpression ?? checkWithLanguage),
  };
  const checked = [...composed, ...groups.flatMap((group) => checkScope(group, settings))];
  const diagnostics = hasErrors(checked)
    ? checked
    : [...checked, ...groups.flatMap((group) => lintScope(group, head.settings))];
  return {
    groups,
    isLeftOut: (path) => leftOut.has(path),
    diagnostics: eachOnce(
      diagnostics.filter(({ where }) => where === undefined || !leftOut.has(outermost(where).file)),
    ),
  };
}

function outermost(where: SourceSpan): SourceSpan {
  return where.via?.at(-1) ?? where;
}

function pathOf(read: ReadSource): string {
  return read.kind === 'read' ? read.source.path : read.path;
}

function filesOf(groups: readonly ScopeGroup[]): readonly string[] {
  return [...new Set(groups.flatMap(({ files }) => files.map(({ document }) => document.source.path)))];
}

function textsOf(read: readonly ReadSource[]): ReadonlyMap<string, string> {
  return new Map(
    read.flatMap((one) => (one.kind === 'read' ? [[one.source.path, one.source.text] as const] : [])),
  );
}
