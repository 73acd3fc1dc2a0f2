import type {
  Diagnostic,
  DesiredRuleset,
  RulesetOutline,
  DesiredScope,
  ScopeOutline,
} from '../model/index.ts';
import { RulewrightError } from '../model/index.ts';
import type { ProjectQuery } from './project/find-project.ts';
import type { KnownFiles } from './project/read-source.ts';
import { readProject } from './read-project.ts';
import type { ProjectOf, ReadOptions, ProjectReading } from './read-project.ts';

/** Which project to load, and how its files are read. */
export interface LoadOptions extends ProjectQuery, ReadOptions {}

/** A project that was loaded without errors. */
export type Project = ProjectOf<DesiredRuleset>;

/** A loaded project, or the findings against it. Findings are sorted; `sources` serves code frames. */
type Loading<Project, Text> = (
  | { readonly kind: 'loaded'; readonly project: Project }
  | { readonly kind: 'invalid' }
) & { readonly diagnostics: readonly Diagnostic[]; readonly sources: ReadonlyMap<string, Text> };

/** The result of loading a project with all its rules and texts. */
export type LoadResult = Loading<Project, string>;

/**
 * Finds, reads and checks a project, with all findings of all files in one run. Bad input is never thrown; a result of kind `loaded` has no
 * finding that is an error.
 */
export async function loadProject(options: LoadOptions): Promise<LoadResult> {
  const sources = new Map<string, string>();
  const read = await readProject(options, {
    text: ({ path, text }) => sources.set(path, text),
    ruleset: (ruleset) => ruleset,
  });
  const { diagnostics } = read;
  return read.kind === 'invalid'
    ? { kind: 'invalid', diagnostics, sources }
    : { kind: 'loaded', project: read.project, diagnostics, sources };
}

/** A project that was loaded without errors, whose texts are not in memory. */
export interface OutlinedProject extends ProjectOf<RulesetOutline> {
  /** Returns the desired state of a scope, with exactly the rulesets of its outline. */
  readonly open: (scope: ScopeOutline) => DesiredScope;
  /** Every file that was read, relative to the project folder. */
  readonly all: readonly string[];
  /** Returns the text of one of these files; rejects with `config/changed-while-running` when the file has changed since. */
  readonly textOf: (path: string) => Promise<string>;
  /** Returns what `sources` would hold for findings that were made later. */
  readonly sourcesOf: (findings: readonly Diagnostic[]) => Promise<SourceTexts>;
}

/** The files of a project by path: their texts where findings are about them, else null. */
export type SourceTexts = ReadonlyMap<string, string | null>;

/** The result of loading a project without keeping its texts. */
type SparingResult<Project> = Loading<Project, string | null>;

/** The result of loading a project with only an outline of each scope in memory. */
export type OutlineResult = SparingResult<OutlinedProject>;

/**
 * As `loadProject`, for runs over many scopes: the texts of files are read again where findings need them. `outline` makes the outline of a
 * ruleset.
 */
export async function outlineProject(
  options: LoadOptions,
  outline: (ruleset: DesiredRuleset) => RulesetOutline,
): Promise<OutlineResult> {
  const rulesets = new Map<RulesetOutline, DesiredRuleset>();
  const { read, paths, sources } = await readSparingly(options, (ruleset) => {
    const outlined = outline(ruleset);
    rulesets.set(outlined, ruleset);
    return outlined;
  });
  if (read.kind === 'invalid') {
    return { kind: 'invalid', diagnostics: read.diagnostics, sources };
  }
  const project = {
    ...read.project,
    open: (scope: ScopeOutline): DesiredScope => ({
      ...scope,
      rulesets: scope.rulesets.map((outlined) => {
        const ruleset = rulesets.get(outlined);
        if (ruleset === undefined) {
          throw new TypeError('a ruleset is opened that was not read');
        }
        return ruleset;
      }),
    }),
    all: paths,
    textOf: (path: string) => textAgain(path, read.known),
    sourcesOf: (findings: readonly Diagnostic[]) => readSources(paths, read.known, findings),
  };
  return { kind: 'loaded', project, diagnostics: read.diagnostics, sources };
}

/** A ruleset reduced to its number of rules. */
type RuleCount = Pick<RulesetOutline, 'address' | 'ruleCount'>;

/** As `loadProject`, for callers that want only the findings: of the rules, only their number is kept. */
export async function checkProject(options: LoadOptions): Promise<SparingResult<ProjectOf<RuleCount>>> {
  const { read, sources } = await readSparingly(options, ({ address, rules }): RuleCount => ({
    address,
    ruleCount: rules.length,
  }));
  const { kind, diagnostics } = read;
  return kind === 'invalid'
    ? { kind, diagnostics, sources }
    : { kind, project: read.project, diagnostics, sources };
}

/** Reads a project without keeping its texts. */
async function readSparingly<Ruleset extends Pick<RulesetOutline, 'address'>>(
  options: LoadOptions,
  keep: (ruleset: DesiredRuleset) => Ruleset,
): Promise<{
  readonly read: ProjectReading<Ruleset>;
  readonly paths: readonly string[];
  readonly sources: SourceTexts;
}> {
  const paths: string[] = [];
  const read = await readProject(options, {
    text: ({ path }) => paths.push(path),
    ruleset: keep,
  });
  const sources =
    read.known === undefined ? new Map() : await readSources(paths, read.known, read.diagnostics);
  return { read, paths, sources };
}

async function readSources(
  paths: readonly string[],
  known: KnownFiles,
  findings: readonly Diagnostic[],
): Promise<SourceTexts> {
  const sources = new Map<string, string | null>(paths.map((path) => [path, null]));
  const told = new Set(
    findings.flatMap(({ where }) =>
      where === undefined ? [] : [where.file, ...(where.via ?? []).map(({ file }) => file)],
    ),
  );
  for (const path of told) {
    if (sources.has(path)) {
      sources.set(path, (await known.again(path))?.text ?? null);
    }
  }
  return sources;
}

async function textAgain(path: string, known: KnownFiles): Promise<string> {
  const source = await known.again(path);
  if (source === null) {
    throw new RulewrightError(`${path} was changed while the run read it`, {
      code: 'config/changed-while-running',
      fault: 'user',
      hint: 'run the command again, and leave the files alone until it has ended',
    });
  }
  return source.text;
}
