import type { Diagnostic, DesiredRuleset, Environment, DesiredScope } from '../model/index.ts';
import { hasErrors } from '../model/index.ts';
import { checkScope } from './checks/check-scope.ts';
import { checkEachRule } from './checks/check-rules.ts';
import { checkWithLanguage } from './checks/expression-checker.ts';
import type { GivenVariables } from './compose/command-line.ts';
import { createComposer } from './compose/composer.ts';
import { suppressionComments } from './yaml/suppression-comments.ts';
import { desiredScope, groupByScope } from './project/desired-scope.ts';
import { readProjectFile } from './project/project-file.ts';
import type { ReadSource } from './project/read-source.ts';
import { readFile } from './read-file.ts';
import type { Settings } from './project/project-settings.ts';
import { sourceText } from './source/source-text.ts';
import type { SourceText } from './source/source-text.ts';
import { tellFindings } from './tell-findings.ts';

/** The scopes that zone and account files declare, and their findings; no scopes where one of the findings is an error. */
export interface LoadedText {
  readonly scopes: readonly DesiredScope[];
  readonly diagnostics: readonly Diagnostic[];
}

/** The rest of the project around zone and account files: packs, the project file, and sources of variables. */
export interface ProjectAround {
  readonly packs: readonly SourceText[];
  readonly file: SourceText;
  readonly environment: Environment;
  /** Values of variables from the command line. */
  readonly variables: GivenVariables;
}

/** Loads the texts of zone and account files as if they were all of the project's files; `around` is the rest of the project. */
export function loadTexts(
  sources: readonly SourceText[],
  settings: Settings,
  around: ProjectAround = { packs: [], file: sourceText('', ''), environment: {}, variables: new Map() },
): LoadedText {
  const head = readProjectFile(asRead(around.file));
  const composer = createComposer(around.packs.map(asRead), {
    head,
    environment: around.environment,
    given: around.variables,
  });
  const means = {
    composer,
    // Lists are checked only in plans that are made for a person.
    listUses: () => [],
    settings,
    checkExpression: checkWithLanguage,
    checkRules: checkEachRule,
    comments: [...sources, ...around.packs].flatMap(({ path, text }) => suppressionComments(path, text)),
    keep: (same: DesiredRuleset) => same,
  };
  const files = sources.map((source) => {
    const read = readFile(asRead(source), means);
    if (read.usage !== undefined) {
      composer.count(read.usage);
    }
    return read;
  });
  const groups = groupByScope(files.flatMap(({ declarations }) => declarations));
  const inScopes = groups.flatMap((group) => checkScope(group));
  const diagnostics = tellFindings(
    files.map((file) => ({ ...file, lint: [] })),
    inScopes,
    composer,
  );
  return {
    scopes: hasErrors(diagnostics) ? [] : groups.map((group) => desiredScope(group, settings)),
    diagnostics,
  };
}

function asRead(source: SourceText): ReadSource {
  return { kind: 'read', source };
}
