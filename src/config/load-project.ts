import type { Diagnostic } from '../model/index.ts';
import { RulewrightError } from '../model/index.ts';
import type { ProjectQuery } from './project/find-project.ts';
import type { KnownFiles } from './project/read-source.ts';
import { readProject } from './read-project.ts';
import type { Project, ReadOptions } from './read-project.ts';

/** Which project to load, and how its files are read. */
export interface LoadOptions extends ProjectQuery, ReadOptions {}

/** A loaded project, or the findings against it. Findings are sorted; `sources` serves code frames. */
type Loading<Loaded, Text> = (
  | { readonly kind: 'loaded'; readonly project: Loaded }
  | { readonly kind: 'invalid' }
) & { readonly diagnostics: readonly Diagnostic[]; readonly sources: ReadonlyMap<string, Text> };

/** The result of loading a project with all its texts. */
export type LoadResult = Loading<Project, string>;

/**
 * Finds, reads and checks a project, with all findings of all files in one run. Bad input is never thrown; a result of kind `loaded` has no
 * finding that is an error.
 */
export async function loadProject(options: LoadOptions): Promise<LoadResult> {
  const sources = new Map<string, string>();
  const read = await readProject(options, ({ path, text }) => sources.set(path, text));
  const { diagnostics } = read;
  return read.kind === 'invalid'
    ? { kind: 'invalid', diagnostics, sources }
    : { kind: 'loaded', project: read.project, diagnostics, sources };
}

/** A project that was loaded without errors, whose texts are not in memory. */
export interface LargeProject extends Project {
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
export type LargeLoadResult = Loading<LargeProject, string | null>;

/** As `loadProject`, for runs over many scopes: the texts of files are read again where findings need them. */
export async function loadLargeProject(options: LoadOptions): Promise<LargeLoadResult> {
  const all: string[] = [];
  const read = await readProject(options, ({ path }) => all.push(path));
  const { known, diagnostics } = read;
  const sourcesOf = async (findings: readonly Diagnostic[]): Promise<SourceTexts> =>
    known === undefined ? new Map() : readSources(all, known, findings);
  const sources = await sourcesOf(diagnostics);
  if (read.kind === 'invalid') {
    return { kind: 'invalid', diagnostics, sources };
  }
  const textOf = (path: string): Promise<string> => textAgain(path, read.known);
  return { kind: 'loaded', project: { ...read.project, all, textOf, sourcesOf }, diagnostics, sources };
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
