import { resolve } from 'node:path';
import {
  loadProject,
  findProject,
  readProjectFile,
  scopeFilesIn,
  scopesIn,
  sourceText,
  createComposer,
  parseYaml,
} from '../../config/index.ts';
import type {
  Project,
  ScopeFile,
  Settings,
  SourceText,
  ProjectAround,
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
  | { readonly kind: 'new'; readonly root: string; readonly settings: Settings }
  | {
      readonly kind: 'project';
      readonly root: string;
      readonly project: Project;
      /** The zone and account files by scope (`scopeLabel`), with packs and variables not yet expanded. */
      readonly scopeFiles: ReadonlyMap<string, readonly ScopeFile[]>;
      readonly settings: Settings;
      readonly around: ProjectAround;
      /** Returns a file with its packs and variables expanded. */
      readonly composed: (file: ScopeFile) => YamlDocument;
      readonly sensitive: SensitiveNames;
    }
  | ({ readonly kind: 'invalid' } & FileFindings);

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
    return { kind: 'new', root: folder, settings: newSettings() };
  }
  const loaded = await loadProject({ ...query, ...values, mayBeEmpty: true });
  return loaded.kind === 'invalid'
    ? { kind: 'invalid', diagnostics: loaded.diagnostics, sources: loaded.sources }
    : destinationOf(loaded.project, loaded.sources, values);
}

/** Returns the destination for a loaded project; `texts` are the texts of its files. */
export function destinationOf(
  project: Project,
  texts: ReadonlyMap<string, string>,
  { environment, variables = new Map() }: Pick<ImportPlace, 'environment' | 'variables'> = {
    environment: {},
  },
): Extract<ImportDestination, { readonly kind: 'project' }> {
  const { root, settings, packs } = project;
  const source = (path: string): SourceText => sourceText(path, texts.get(path) ?? '');
  const file = source(project.file);
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

/** Returns the settings of a new project. */
export function newSettings(): Settings {
  const source = sourceText(NEW_PROJECT_FILE, projectText(['zones/*.yaml']));
  return readProjectFile({ kind: 'read', source }).settings;
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

/** The scopes that a new project begins with, and the ids of their accounts. */
interface FirstScopes {
  readonly scopes: number;
  readonly accounts: readonly string[];
}

/**
 * Returns the text of a new project file. It spells out the defaults, so that they can be seen and changed, lets a run change a quarter of the
 * scopes, and allows writes only to the imported accounts.
 */
export function projectText(
  patterns: readonly string[],
  { scopes, accounts }: FirstScopes = { scopes: 1, accounts: [] },
): string {
  const only =
    accounts.length === 0
      ? ''
      : `
  # No other account is written to, whatever token a run has.
  accounts: [${accounts.map(idText).join(', ')}]`;
  return `# yaml-language-server: $schema=.rulewright/schemas/project.schema.json
version: 1
files: [${patterns.join(', ')}]

# Every phase that a file names equals the file. Custom rulesets that no file declares stay.
ownership: { rules: all, rulesets: declared }

# What apply refuses to do without --allow.
safety:
  max_deleted: 30%
  max_changed: 50%
  min_rules: 10
  # One edit of a pack can reach every zone. To change more zones and accounts in one run: --allow scopes, or merge a plan that shows it.
  max_scopes: ${Math.max(ALWAYS, Math.ceil(scopes / 4))}${only}
`;
}
