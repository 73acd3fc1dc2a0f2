import type { Diagnostic } from '../model/diagnostic.ts';
import type { Environment } from '../model/sensitive.ts';
import type { DesiredScope } from '../model/state.ts';
import { checkScope } from './checks/check-scope.ts';
import { checkWithLanguage } from './checks/expression-checker.ts';
import { composeProject } from './compose/compose-project.ts';
import { desiredScope, groupByScope } from './project/desired-scope.ts';
import { readProjectFile } from './project/project-file.ts';
import type { ReadSource } from './project/read-source.ts';
import type { Settings } from './project/settings.ts';
import { sourceText } from './source-text.ts';
import type { SourceText } from './source-text.ts';

/** What zone and account files want, and their findings; nothing is wanted where one of them is an error. */
export interface LoadedText {
  readonly scopes: readonly DesiredScope[];
  readonly diagnostics: readonly Diagnostic[];
}

/** The project around texts: its packs, its own file, and the environment that gives values to variables. */
export interface ProjectAround {
  readonly packs: readonly SourceText[];
  readonly file: SourceText;
  readonly environment: Environment;
}

/** Loads the texts of zone and account files as if they were all that there is, beside what stands around them. */
export function loadTexts(
  sources: readonly SourceText[],
  settings: Settings,
  around: ProjectAround = { packs: [], file: sourceText('', ''), environment: {} },
): LoadedText {
  const { files, diagnostics: composed } = composeProject(
    { packs: around.packs.map(asRead), files: sources.map(asRead) },
    { head: readProjectFile(asRead(around.file)), environment: around.environment, given: new Map() },
  );
  const groups = groupByScope(files);
  const diagnostics = [
    ...composed,
    ...groups.flatMap((group) => checkScope(group, { settings, checkExpression: checkWithLanguage })),
  ];
  const failed = diagnostics.some(({ severity }) => severity === 'error');
  // Lists are of use to plans that are made for a person alone.
  const scopes = failed ? [] : groups.map((group) => desiredScope(group, settings, () => []));
  return { scopes, diagnostics };
}

function asRead(source: SourceText): ReadSource {
  return { kind: 'read', source };
}
