import { stat } from 'node:fs/promises';
import { isAbsolute, join, relative, resolve, sep } from 'node:path';
import { exists, findFiles, isPattern, realPlace } from '../../files/index.ts';
import { fileLog } from '../../traffic/index.ts';
import type { Log } from '../../traffic/index.ts';
import { usage } from '../run/usage-error.ts';

/** Where logs are: below which folder, and what `-` stands for. */
export interface LogPlaces {
  readonly cwd: string;
  readonly input: Log['open'];
}

/** A log, and where it is; undefined for the standard input. */
interface FoundLog {
  readonly log: Log;
  readonly place?: string;
}

/**
 * Finds the logs that paths and patterns name, in their order and each once, however often it is named; `-` is the standard input. Throws `usage/…` for
 * a name that no file has, or a pattern that none matches.
 */
export async function findLogs(places: LogPlaces, named: readonly string[]): Promise<readonly Log[]> {
  if (named.filter((name) => name === '-').length > 1) {
    throw usage('--log - is given twice', 'the standard input can be read once');
  }
  const found = (await Promise.all(named.map((name) => logsOf(places, name)))).flat();
  const seen = new Set<string>();
  return found.flatMap(({ log, place }) => {
    const isNew = place === undefined || !seen.has(place);
    seen.add(place ?? '');
    return isNew ? [log] : [];
  });
}

async function logsOf({ cwd, input }: LogPlaces, name: string): Promise<readonly FoundLog[]> {
  if (name === '-') {
    return [{ log: { name: 'of the standard input', open: input, readOnce: true } }];
  }
  if (!isPattern(name)) {
    const path = resolve(cwd, name);
    if (!(await exists(path))) {
      throw usage(`there is no log ${name}`, 'correct the path; it is taken from the folder of the command');
    }
    return [await logAt(path, name)];
  }
  // Only what is below the part without stars is looked through.
  const parts = name.split('/');
  const fixed = parts.findIndex(isPattern);
  const folder = resolve(cwd, parts.slice(0, fixed).join('/') || (isAbsolute(name) ? '/' : '.'));
  const { files } = (await exists(folder))
    ? await findFiles({ cwd: folder, patterns: [parts.slice(fixed).join('/')], passOver: new Set() })
    : { files: [] };
  if (files.length === 0) {
    throw usage(`no log matches ${name}`);
  }
  return Promise.all(
    files.map((file) => {
      const path = join(folder, file);
      return logAt(path, isAbsolute(name) ? path : relative(cwd, path).split(sep).join('/'));
    }),
  );
}

async function logAt(path: string, name: string): Promise<FoundLog> {
  const facts = await stat(path);
  if (facts.isDirectory()) {
    throw usage(`the log ${name} is a folder`, `name its files: --log '${name.replace(/\/+$/u, '')}/*.gz'`);
  }
  const log = fileLog(path, name);
  // What a pipe has said, it does not say again.
  return { log: facts.isFile() ? log : { ...log, readOnce: true }, place: await realPlace(path) };
}
