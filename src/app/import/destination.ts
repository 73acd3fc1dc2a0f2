import { resolve } from 'node:path';
import {
  loadProject,
  findProject,
  readProjectFile,
  scopeFilesIn,
  scopesIn,
  sourceText,
  addSensitive,
  addVariables,
  documentText,
  createComposer,
  parseYaml,
} from '../../config/index.ts';
import type {
  Project,
  ScopeFile,
  Settings,
  SourceText,
  ProjectAround,
  FileNote,
  ProjectVariable,
  SecretVariable,
  GivenVariables,
  YamlDocument,
} from '../../config/index.ts';
import type { Environment } from '../../model/index.ts';
import { scopeLabel } from '../../model/index.ts';
import type { FileFindings } from '../run/results.ts';
import type { SensitiveNames } from './name-sensitive.ts';
import { sensitiveNames } from './name-sensitive.ts';

/** The project that an import writes to: an existing one, or a new one. */
export type ImportDestination =
  | {
      readonly kind: 'new';
      readonly root: string;
      readonly settings: Settings;
      /** The new project file as far as it matters to others, and where variables come from. */
      readonly around: ProjectAround;
      readonly sensitive: SensitiveNames;
      /** What its file declares as sensitive. */
      readonly secrets: readonly SecretVariable[];
      /** What its file declares as variables for several files. */
      readonly vars?: readonly ProjectVariable[];
    }
  | {
      readonly kind: 'project';
      readonly root: string;
      readonly project: Project;
      /** The texts of its files, by path. */
      readonly texts: ReadonlyMap<string, string>;
      /** The zone and account files by scope (`scopeLabel`), with packs and variables not yet expanded. */
      readonly scopeFiles: ReadonlyMap<string, readonly ScopeFile[]>;
      readonly settings: Settings;
      readonly around: ProjectAround;
      /** Returns a file with its packs and variables expanded. */
      readonly composed: (file: ScopeFile) => YamlDocument;
      readonly sensitive: SensitiveNames;
    }
  | ({ readonly kind: 'invalid' } & FileFindings);

/** A destination that can be written to. */
export type UsableDestination = Exclude<ImportDestination, { readonly kind: 'invalid' }>;

/** Where an import writes to. */
export interface ImportPlace {
  readonly cwd: string;
  /** The project file, when it is named. */
  readonly config?: string | undefined;
  /** The project folder, when it is named; created if missing. */
  readonly out?: string | undefined;
  /** The environment that gives values to the variables of the project. */
  readonly environment: Environment;
  /** Values of variables from the command line. */
  readonly variables?: GivenVariables | undefined;
}

/** Name of a new project file. */
export const NEW_PROJECT_FILE = 'rulewright.yaml';

/**
 * Finds the project of an import. An existing one has to be valid, since live could not be compared with it otherwise; it may have
 * no files yet.
 */
export async function findDestination({
  cwd,
  config,
  out,
  ...values
}: ImportPlace): Promise<ImportDestination> {
  const folder = out === undefined ? cwd : resolve(cwd, out);
  const query = { cwd: folder, config: config === undefined ? undefined : resolve(cwd, config) };
  const found = await findProject(query);
  if (found.kind === 'not-found' && config !== undefined) {
    return { kind: 'invalid', diagnostics: found.diagnostics, sources: new Map() };
  }
  if (found.kind === 'not-found' || (out !== undefined && found.root !== folder)) {
    return newDestination(folder, values);
  }
  const loaded = await loadProject({ ...query, ...values, mayBeEmpty: true });
  return loaded.kind === 'invalid'
    ? { kind: 'invalid', diagnostics: loaded.diagnostics, sources: loaded.sources }
    : destinationOf(loaded.project, loaded.sources, values);
}

/** Where the variables of a project have their values, and sensitive ones that its file is to declare besides. */
interface SourcesOfVariables extends Pick<ImportPlace, 'environment' | 'variables'> {
  readonly secrets?: readonly SecretVariable[];
}

/** Returns a destination whose project file declares more sensitive variables; `environment` has their values. */
export function withSecrets(destination: UsableDestination, values: SourcesOfVariables): UsableDestination {
  return destination.kind === 'new'
    ? newDestination(destination.root, values)
    : destinationOf(destination.project, destination.texts, values);
}

/** Returns a destination whose project file declares more variables. */
export function withVariables(
  destination: UsableDestination,
  vars: readonly ProjectVariable[],
): UsableDestination {
  const around = { ...destination.around, file: addVariables(destination.around.file, vars) };
  return destination.kind === 'new' ? { ...destination, around, vars } : { ...destination, around };
}

/** Returns the destination for a loaded project; `texts` are the texts of its files. */
export function destinationOf(
  project: Project,
  texts: ReadonlyMap<string, string>,
  { environment, variables = new Map(), secrets = [] }: SourcesOfVariables = { environment: {} },
): Extract<ImportDestination, { readonly kind: 'project' }> {
  const { root, settings, packs } = project;
  const source = (path: string): SourceText => sourceText(path, texts.get(path) ?? '');
  const file = addSensitive(source(project.file), secrets);
  const head = readProjectFile({ kind: 'read', source: file });
  const sources = packs.map(source);
  const composer = createComposer(
    sources.map((one) => ({ kind: 'read', source: one })),
    { head, environment, given: variables },
  );
  return {
    kind: 'project',
    root,
    project,
    texts,
    scopeFiles: scopeFiles(project, texts),
    settings,
    around: { packs: sources, file, environment, variables },
    composed: ({ document }) => {
      const [scope] = scopesIn(document).scopes;
      return scope === undefined ? document : composer.file(document).of(scope);
    },
    sensitive: sensitiveNames(head.valid?.value.env, environment),
  };
}

/** Returns the destination for a project that does not exist yet; its file declares `secrets` as sensitive variables. */
export function newDestination(
  root: string,
  { environment, variables = new Map(), secrets = [] }: SourcesOfVariables,
): Extract<ImportDestination, { readonly kind: 'new' }> {
  const file = sourceText(NEW_PROJECT_FILE, projectText(['zones/*.yaml'], { secrets }));
  const { settings, valid } = readProjectFile({ kind: 'read', source: file });
  return {
    kind: 'new',
    root,
    settings,
    around: { packs: [], file, environment, variables },
    sensitive: sensitiveNames(valid?.value.env, environment),
    secrets,
  };
}

function scopeFiles(
  { files }: Project,
  texts: ReadonlyMap<string, string>,
): ReadonlyMap<string, readonly ScopeFile[]> {
  const found = new Map<string, ScopeFile[]>();
  for (const path of files) {
    const { document } = parseYaml(sourceText(path, texts.get(path) ?? ''));
    const [file, second] = document === undefined ? [] : scopeFilesIn(document);
    // A file that several scopes share is not rewritten for one of them.
    if (file !== undefined && second === undefined) {
      const label = scopeLabel(file.scope);
      found.set(label, [...(found.get(label) ?? []), file]);
    }
  }
  return found;
}

/** Quotes an id that YAML would read as a number: one of digits alone, or of digits with an `e`. */
function idText(id: string): string {
  return /[a-df]/u.test(id) ? id : `"${id}"`;
}

/** The number of scopes that a run may always change in a new project. */
const ALWAYS = 10;

/** The scopes that a new project begins with, the ids of their accounts, its variables, and the patterns of its packs. */
interface FirstScopes {
  readonly scopes?: number;
  readonly accounts?: readonly string[];
  readonly secrets?: readonly SecretVariable[];
  readonly packs?: readonly string[];
  readonly vars?: readonly ProjectVariable[];
}

/**
 * Returns the text of a new project file. It spells out the defaults, so that they can be seen and changed, lets a run change a quarter of the
 * scopes, and allows writes only to the imported accounts.
 */
export function projectText(
  patterns: readonly string[],
  { scopes = 1, accounts = [], secrets = [], packs = [], vars = [] }: FirstScopes = {},
): string {
  const only =
    accounts.length === 0
      ? ''
      : `
  # No other account is written to, whatever token a run has.
  accounts: [${accounts.map(idText).join(', ')}]`;
  const env =
    secrets.length === 0
      ? ''
      : `
env:
${secrets.map(({ name, from }) => `  ${name}: { from: ${from}, sensitive: true }\n`).join('')}`;
  const values = Object.fromEntries(vars.map(({ name, value }) => [name, value]));
  const above = vars.flatMap(({ name, above: lines }) =>
    lines.map((text): FileNote => ({ path: ['vars', name], text, place: 'before' })),
  );
  const named = vars.length === 0 ? '' : `\n${documentText({ vars: values }, above)}`;
  return `# yaml-language-server: $schema=.rulewright/schemas/project.schema.json
version: 1
files: [${patterns.join(', ')}]
${packs.length === 0 ? '' : `packs: [${packs.join(', ')}]\n`}${named}${env}
# Every phase that a file names equals the file. Custom rulesets that no file declares stay.
ownership: { rules: all, rulesets: declared }

# What apply refuses to do without --allow.
safety:
  max_deleted: 30%
  max_changed: 50%
  min_rules: 10
  # One edit of a pack can reach every zone. To change more zones and accounts in one run: --allow scopes, or merge a plan that shows it.
  max_scopes: ${Math.max(ALWAYS, Math.ceil(scopes / 4))}
  # Add \`weakened: refuse\` to refuse every change that protects less.
  every_request: refuse
  unprotected: refuse${only}
`;
}
