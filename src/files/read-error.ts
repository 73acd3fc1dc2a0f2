import { errorCode } from './error-code.ts';
import { readdir } from 'node:fs/promises';
import { basename, dirname, join, relative } from 'node:path';
import { distance } from 'fastest-levenshtein';
import { exists, isMissing } from './missing.ts';

/** Why a file cannot be read, with a suggestion where its name may be mistyped. */
export interface ReadProblem {
  readonly reason: string;
  /** A question; absent when no other file has a similar name. */
  readonly didYouMean?: string;
}

/** Explains the error of reading a file; `named` is the path as the user wrote it. */
export async function explainReadError(error: unknown, path: string, named: string): Promise<ReadProblem> {
  if (isMissing(error)) {
    return explainMissing(path, named);
  }
  const reason = REASONS.get(errorCode(error) ?? '');
  return { reason: reason ?? `cannot be read: ${error instanceof Error ? error.message : String(error)}` };
}

/** Explains that a path does not exist. */
export async function explainMissing(path: string, named: string): Promise<ReadProblem> {
  const near = await nearestPath(path);
  return {
    reason: 'does not exist',
    ...(near === undefined ? {} : { didYouMean: `did you mean ${suggestionFor(named, path, near)}?` }),
  };
}

const REASONS: ReadonlyMap<string, string> = new Map([
  ['EISDIR', 'is a folder, not a file'],
  ['EACCES', 'may not be read by this user'],
  ['EPERM', 'may not be read by this user'],
]);

/** Returns an existing path that differs only by a typing error in one part. */
async function nearestPath(path: string): Promise<string | undefined> {
  const above = dirname(path);
  if (above === path) {
    return undefined;
  }
  const folder = (await exists(above)) ? above : await nearestPath(above);
  if (folder === undefined) {
    return undefined;
  }
  const wanted = basename(path);
  if (folder !== above && (await exists(join(folder, wanted)))) {
    return join(folder, wanted);
  }
  const names = folder === above ? await readdir(folder).catch(() => []) : [];
  const ranked = names
    .map((name) => ({ name, far: distance(wanted.toLowerCase(), name.toLowerCase()) }))
    .filter(({ far }) => far <= Math.min(3, Math.ceil(wanted.length / 4)))
    .sort((a, b) => a.far - b.far || (a.name < b.name ? -1 : 1));
  return ranked[0] === undefined ? undefined : join(folder, ranked[0].name);
}

/** Returns the nearest path in the form in which the user wrote the missing one. */
function suggestionFor(named: string, path: string, near: string): string {
  return join(dirname(named), relative(dirname(path), near));
}
