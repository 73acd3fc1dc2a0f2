import type { Diagnostic } from '../../model/diagnostic.ts';
import { hasErrors } from '../../model/diagnostic.ts';
import { isJsonObject } from '../../model/json.ts';
import type { Environment } from '../../model/sensitive.ts';
import { finding } from '../finding.ts';
import type { FileScope } from '../project/file-scopes.ts';
import type { ProjectFile } from '../project/project-file.ts';
import type { ReadSource } from '../project/read-source.ts';
import { readScopeFile } from '../project/scope-file.ts';
import type { ReadScopeFile, ScopeFile } from '../project/scope-file.ts';
import { parseYaml } from '../yaml/parse-yaml.ts';
import type { YamlDocument } from '../yaml/yaml-document.ts';
import { undeclared, withGiven } from './command-line.ts';
import type { GivenVariables } from './command-line.ts';
import { composeFile } from './compose-file.ts';
import { startComposition } from './composition.ts';
import type { Composition } from './composition.ts';
import { projectVariables, withLevel } from './levels.ts';
import { packsByName, readPack } from './pack.ts';
import type { ReadPack } from './pack.ts';
import type { Variables } from './variable.ts';

/** Where variables come from beside the files. */
interface Sources {
  readonly head: ProjectFile;
  readonly environment: Environment;
  readonly given: GivenVariables;
}

/** The files of a project with packs and variables put in, by scope, and all that was found on the way. */
export function composeProject(
  read: { readonly packs: readonly ReadSource[]; readonly files: readonly ReadSource[] },
  { head, environment, given }: Sources,
): { readonly files: readonly ScopeFile[]; readonly diagnostics: readonly Diagnostic[] } {
  const parsedPacks = read.packs.map((one) => parse<ReadPack>(one, readPack, { diagnostics: [] }));
  const { packs, diagnostics } = packsByName(parsedPacks.flatMap(({ pack }) => pack ?? []));
  const broken = parsedPacks.flatMap((one) => one.broken ?? []);
  const composition = startComposition(packs, new Set(broken));
  const variables =
    head.valid === undefined
      ? new Map()
      : projectVariables(head.valid.document, head.valid.value, { composition, environment });
  const files = read.files.map((one) =>
    parse<ReadScopeFile>(
      one,
      (document) => readScopeFile(document, composerFor(document, variables, { composition, given })),
      { files: [], diagnostics: [] },
    ),
  );
  const found = [
    ...parsedPacks.flatMap((one) => one.diagnostics),
    ...diagnostics,
    ...files.flatMap((one) => one.diagnostics),
    ...composition.diagnostics,
  ];
  const unread = found.some(({ code, severity }) => code.startsWith('yaml/') && severity === 'error');
  // What a file declares that cannot be read is not known.
  const all = unread ? found : [...found, ...undeclared(given, composition.declared)];
  return {
    files: files.flatMap((one) => one.files),
    // What is used cannot be told while something is missing.
    diagnostics: hasErrors(all) ? all : [...all, ...unused(composition)],
  };
}

function parse<Result extends { readonly diagnostics: readonly Diagnostic[] }>(
  read: ReadSource,
  then: (document: YamlDocument) => Result,
  nothing: Result,
): Result {
  if (read.kind === 'unread') {
    return { ...nothing, diagnostics: [read.diagnostic] };
  }
  const { document, diagnostics } = parseYaml(read.source);
  const result = document === undefined ? nothing : then(document);
  return { ...result, diagnostics: [...diagnostics, ...result.diagnostics] };
}

/** Composes a file for each of its scopes; those without variables of their own share the result. */
function composerFor(
  document: YamlDocument,
  below: Variables,
  { composition, given }: { readonly composition: Composition; readonly given: GivenVariables },
): (document: YamlDocument, scope: FileScope) => YamlDocument {
  const { value } = document;
  const vars = isJsonObject(value) ? value['vars'] : undefined;
  const ofFile = withLevel(below, { document, path: ['vars'], value: vars }, composition);
  let shared: YamlDocument | undefined;
  const composed = (variables: Variables): YamlDocument =>
    composeFile(document, withGiven(variables, given, composition), composition);
  return (_document, scope) => {
    if (scope.vars !== undefined) {
      return composed(withLevel(ofFile, { document, ...scope.vars }, composition));
    }
    shared ??= composed(ofFile);
    return shared;
  };
}

function unused({ packs, usedPacks, declared, usedVariables }: Composition): readonly Diagnostic[] {
  return [
    ...[...packs.values()]
      .filter((pack) => !usedPacks.has(pack))
      .map((pack) =>
        finding('pack/unused', {
          message: `nothing uses the pack \`${pack.name}\``,
          hint: `write \`- use: ${pack.name}\` among the \`rules\` of a phase; until then its rules are not checked`,
          where: pack.where,
        }),
      ),
    ...declared
      .filter((variable) => !usedVariables.has(variable))
      .map(({ name, where }) =>
        finding('variable/unused', {
          message: `nothing uses the variable \`${name}\``,
          hint: `write \`\${${name}}\` where its value belongs, or remove it`,
          where,
        }),
      ),
  ];
}
