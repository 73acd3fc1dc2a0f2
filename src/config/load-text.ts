import type { Diagnostic } from '../model/diagnostic.ts';
import type { DesiredScope } from '../model/state.ts';
import { checkScope } from './checks/check-scope.ts';
import { checkWithLanguage } from './checks/expression-checker.ts';
import { composeFile } from './compose/compose-file.ts';
import { startComposition } from './compose/composition.ts';
import { desiredScope, groupByScope } from './project/desired-scope.ts';
import { readScopeFile } from './project/scope-file.ts';
import type { ReadScopeFile } from './project/scope-file.ts';
import type { Settings } from './project/settings.ts';
import type { SourceText } from './source-text.ts';
import { parseYaml } from './yaml/parse-yaml.ts';
import type { YamlDocument } from './yaml/yaml-document.ts';

/** What zone and account files want, and their findings; nothing is wanted where one of them is an error. */
export interface LoadedText {
  readonly scopes: readonly DesiredScope[];
  readonly diagnostics: readonly Diagnostic[];
}

const NOTHING: ReadScopeFile = { files: [], diagnostics: [] };

/** Loads the texts of zone and account files as if they were all that there is: without packs and variables. */
export function loadTexts(sources: readonly SourceText[], settings: Settings): LoadedText {
  const composition = startComposition(new Map(), new Set());
  const compose = (document: YamlDocument): YamlDocument => composeFile(document, new Map(), composition);
  const read = sources.map((source) => {
    const { document, diagnostics } = parseYaml(source);
    const { files, diagnostics: found } = document === undefined ? NOTHING : readScopeFile(document, compose);
    return { files, diagnostics: [...diagnostics, ...found] };
  });
  const groups = groupByScope(read.flatMap(({ files }) => files));
  const diagnostics = [
    ...read.flatMap((one) => one.diagnostics),
    ...composition.diagnostics,
    ...groups.flatMap((group) => checkScope(group, { settings, checkExpression: checkWithLanguage })),
  ];
  const failed = diagnostics.some(({ severity }) => severity === 'error');
  return { scopes: failed ? [] : groups.map((group) => desiredScope(group, settings)), diagnostics };
}
