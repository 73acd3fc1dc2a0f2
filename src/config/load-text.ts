import type { Diagnostic } from '../model/diagnostic.ts';
import type { DesiredScope } from '../model/state.ts';
import { checkScope } from './checks/check-scope.ts';
import { checkWithLanguage } from './checks/expression-checker.ts';
import { desiredScope, groupByScope } from './project/desired-scope.ts';
import { readScopeFile } from './project/scope-file.ts';
import type { Settings } from './project/settings.ts';
import type { SourceText } from './source-text.ts';
import { parseYaml } from './yaml/parse-yaml.ts';

/** What zone and account files want, and their findings; nothing is wanted where one of them is an error. */
export interface LoadedText {
  readonly scopes: readonly DesiredScope[];
  readonly diagnostics: readonly Diagnostic[];
}

/** Loads the texts of zone and account files as if they were all that there is. */
export function loadTexts(sources: readonly SourceText[], settings: Settings): LoadedText {
  const read = sources.map((source) => {
    const { document, diagnostics } = parseYaml(source);
    const file = document === undefined ? undefined : readScopeFile(document);
    return { file: file?.file, diagnostics: [...diagnostics, ...(file?.diagnostics ?? [])] };
  });
  const groups = groupByScope(read.flatMap(({ file }) => file ?? []));
  const diagnostics = [
    ...read.flatMap((one) => one.diagnostics),
    ...groups.flatMap((group) => checkScope(group, { settings, checkExpression: checkWithLanguage })),
  ];
  const failed = diagnostics.some(({ severity }) => severity === 'error');
  return { scopes: failed ? [] : groups.map((group) => desiredScope(group, settings)), diagnostics };
}
