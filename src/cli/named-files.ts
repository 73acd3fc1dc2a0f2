import { basename, dirname, relative, resolve } from 'node:path';
import { checkNewOutput, usage, keptPath, projectFolder } from '../app/index.ts';
import { exists, realPlace, isStream, lockOf, OWN_FOLDER } from '../files/index.ts';
import { RulewrightError } from '../model/index.ts';
import { shellWord } from '../text/index.ts';
import type { FileUse, NamedFile } from './flag.ts';
import { flagWord } from './flag.ts';
import type { AnyFlags } from './flags.ts';

/** Files that runs keep in the folder of a project, and what messages call them. */
const KEPT = [
  { file: 'journal', words: 'the journal', use: 'journal' },
  { file: 'retirements', words: 'the journal of deletions', use: 'journal' },
  { file: 'emulator', words: 'the state of the emulator', use: 'state' },
] as const;

/** Uses of files that have a lock beside them. */
const LOCKED: ReadonlySet<FileUse> = new Set(['journal', 'state']);

/** How a run finds its project. */
interface KeptQuery {
  readonly cwd: string;
  readonly config: string | undefined;
  /** The arguments, which may lead to a project elsewhere. */
  readonly paths: readonly string[];
}

/**
 * Returns the files that no result may replace although no flag names them: journals, the state of the emulator, and the locks of both, including
 * the locks of files in `named`.
 */
async function keptFiles(
  { cwd, config, paths }: KeptQuery,
  named: readonly NamedFile[],
): Promise<readonly NamedFile[]> {
  const folders = new Set<string>();
  for (const some of [[], paths]) {
    folders.add(await projectFolder({ cwd, config, paths: some }));
  }
  const kept = [...folders].flatMap((folder) =>
    KEPT.map(({ file, words, use }): NamedFile => ({ words, path: keptPath(folder, file), use })),
  );
  const locked = [...kept, ...named.filter(({ use }) => LOCKED.has(use))];
  return [
    ...kept,
    ...locked.map(({ words, path }): NamedFile => ({
      words: `the lock of ${words}`,
      path: lockOf(path),
      use: 'lock',
    })),
  ];
}

/** The parameters of a command, and which of them are files. */
export interface FileParameters<Names extends PropertyKey = string> {
  readonly flags?: Readonly<Partial<Record<Names, { readonly brief: string; readonly file?: FileUse }>>>;
  readonly positional?: { readonly kind: string; readonly file?: FileUse };
}

/** Returns the files that the arguments and the flags of a run name. */
export function namedFiles(
  { flags = {}, positional }: FileParameters,
  given: AnyFlags,
  args: readonly unknown[],
): readonly NamedFile[] {
  const values = new Map<string, unknown>(Object.entries(given));
  const file = (value: unknown, use: FileUse | undefined, word = ''): readonly NamedFile[] =>
    use === undefined || typeof value !== 'string' ? [] : [{ words: `${word}${value}`, path: value, use }];
  return [
    ...args.flatMap((arg) => file(arg, positional?.file)),
    ...Object.entries(flags).flatMap(([name, flag]) =>
      file(values.get(name), useOf(name, flag?.file, given), `${flagWord(name)} `),
    ),
    ...(given.report ?? []).flatMap(({ format, path }) => file(path, 'written', `--report ${format}=`)),
  ];
}

/** Returns what a run does to the file of a flag: a result can be a project file only in text format. */
function useOf(flag: string, use: FileUse | undefined, { format = 'text' }: AnyFlags): FileUse | undefined {
  return flag === 'output' && use === 'scope-file' && format !== 'text' ? 'written' : use;
}

/**
 * Throws when a run would write a file that it also reads, writes twice, or keeps for later runs, or that the project would read as its own, or a
 * result to a folder that does not exist; called before any file is touched.
 */
export async function requireFilesApart(query: KeptQuery, files: readonly NamedFile[]): Promise<void> {
  const { cwd } = query;
  const seen = new Map<string, NamedFile>();
  const written = new Map<NamedFile, string>();
  for (const file of files) {
    const place = await realPlace(resolve(cwd, file.path));
    const other = seen.get(place) ?? file;
    seen.set(place, other);
    if (other !== file && (isWritten(other) || isWritten(file)) && !isStream(place)) {
      throw sameFile(other, file);
    }
    if (isWritten(file) && !isStream(place)) {
      written.set(file, place);
    }
  }
  if (written.size > 0) {
    await requireNoneKept(query, written);
    await requireNoneRead(query, [...written.keys()]);
    await requireFolders(query.cwd, written);
  }
}

/** Throws for a file that runs keep, unless it is named for what it is. */
async function requireNoneKept(query: KeptQuery, written: ReadonlyMap<NamedFile, string>): Promise<void> {
  const kept = new Map<string, NamedFile>();
  for (const one of await keptFiles(query, [...written.keys()])) {
    kept.set(await realPlace(resolve(query.cwd, one.path)), one);
  }
  for (const [file, place] of written) {
    const other = kept.get(place);
    if (other !== undefined && other.use !== file.use) {
      throw sameFile(other, file);
    }
  }
}

/** Throws for a result that the project would read as its own file from then on. */
async function requireNoneRead({ cwd, config }: KeptQuery, written: readonly NamedFile[]): Promise<void> {
  for (const { path, use } of written) {
    if (use !== 'scope-file') {
      await checkNewOutput({ cwd, path, config });
    }
  }
}

/** Throws for a result in a folder that does not exist: it may be a slip. A `.rulewright` is made by many runs, and zone files begin their folders. */
async function requireFolders(cwd: string, written: ReadonlyMap<NamedFile, string>): Promise<void> {
  for (const [{ words, use }, place] of written) {
    const folder = dirname(place);
    if (use === 'written' && basename(folder) !== OWN_FOLDER && !(await exists(folder))) {
      const way = relative(cwd, folder);
      const named = way.startsWith('..') ? folder : way;
      throw new RulewrightError(`${words} cannot be written: the folder ${named} does not exist`, {
        code: 'output/not-written',
        fault: 'user',
        hint: `make it first: mkdir -p ${shellWord(named)}`,
      });
    }
  }
}

function isWritten({ use }: NamedFile): boolean {
  return use !== 'read';
}

function sameFile(one: NamedFile, other: NamedFile): RulewrightError {
  return usage(`${one.words} and ${other.words} are the same file`, 'give each a file of its own');
}
