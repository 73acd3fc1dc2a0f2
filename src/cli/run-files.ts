import { realpath } from 'node:fs/promises';
import { basename, dirname, join, resolve } from 'node:path';
import { usage } from '../app/run/usage.ts';
import { isStream } from '../files/streams.ts';
import type { FileUse } from './flag.ts';
import { flagWord } from './flag.ts';
import type { AnyFlags } from './flags.ts';

/** The parameters of a command, as far as they say which are files. */
export interface FileParameters<Names extends PropertyKey = string> {
  readonly flags?: Readonly<Partial<Record<Names, { readonly brief: string; readonly file?: FileUse }>>>;
  readonly positional?: { readonly kind: string; readonly file?: FileUse };
}

/** A file of a run, and the words that name it. */
interface RunFile {
  readonly words: string;
  readonly path: string;
  readonly use: FileUse;
}

/** The files that the arguments and the flags of a run name. */
export function runFiles(
  { flags = {}, positional }: FileParameters,
  given: AnyFlags,
  args: readonly unknown[],
): readonly RunFile[] {
  const values = new Map<string, unknown>(Object.entries(given));
  const file = (value: unknown, use: FileUse | undefined, word = ''): readonly RunFile[] =>
    use === undefined || typeof value !== 'string' ? [] : [{ words: `${word}${value}`, path: value, use }];
  return [
    ...args.flatMap((arg) => file(arg, positional?.file)),
    ...Object.entries(flags).flatMap(([name, flag]) =>
      file(values.get(name), flag?.file, `${flagWord(name)} `),
    ),
    ...(given.report ?? []).flatMap(({ form, path }) => file(path, 'written', `--report ${form}=`)),
  ];
}

/** Throws when a run would write a file that it reads, or that it writes for something else: before anything is touched. */
export async function requireOwnFiles(cwd: string, files: readonly RunFile[]): Promise<void> {
  const seen = new Map<string, RunFile>();
  for (const file of files) {
    const place = await placeOf(resolve(cwd, file.path));
    const other = seen.get(place) ?? file;
    seen.set(place, other);
    if (other !== file && (other.use === 'written' || file.use === 'written') && !isStream(place)) {
      throw usage(`${other.words} and ${file.words} are the same file`, 'give each a file of its own');
    }
  }
}

/** Where links lead; a file that is not there yet is known by its folder. */
async function placeOf(file: string): Promise<string> {
  if (isStream(file)) {
    return file;
  }
  try {
    return await realpath(file);
  } catch {
    const folder = dirname(file);
    return folder === file ? file : join(await placeOf(folder), basename(file));
  }
}
