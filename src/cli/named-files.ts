import { resolve } from 'node:path';
import { usage } from '../app/index.ts';
import { realPlace, isStream } from '../files/index.ts';
import type { RulewrightError } from '../model/index.ts';
import type { FileUse, NamedFile } from './flag.ts';
import { flagWord } from './flag.ts';
import type { AnyFlags } from './flags.ts';
import type { KeptQuery } from './kept-files.ts';

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
 * Throws when a run would write a file that it also reads, writes twice, or keeps for later runs, or that the project would read as its own; called
 * before any file is touched.
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
  }
}

/** Throws for a file that runs keep, unless it is named for what it is. */
async function requireNoneKept(query: KeptQuery, written: ReadonlyMap<NamedFile, string>): Promise<void> {
  const { keptFiles } = await import('./kept-files.ts');
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
  const { checkNewOutput } = await import('../app/index.ts');
  for (const { path, use } of written) {
    if (use !== 'scope-file') {
      await checkNewOutput({ cwd, path, config });
    }
  }
}

function isWritten({ use }: NamedFile): boolean {
  return use !== 'read';
}

function sameFile(one: NamedFile, other: NamedFile): RulewrightError {
  return usage(`${one.words} and ${other.words} are the same file`, 'give each a file of its own');
}
