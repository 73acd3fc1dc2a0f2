import { lstat, readdir, realpath, stat } from 'node:fs';
import { relative } from 'node:path';
import type { GlobOptions } from 'tinyglobby';
import { glob } from 'tinyglobby';
import { isMissing } from './missing.ts';
import { whyUnread } from './unread.ts';

/** What patterns match, and what on the way to it could not be read. Paths have `/`. */
export interface FoundFiles {
  readonly files: readonly string[];
  /** In order, with the reason in words. */
  readonly unread: readonly UnreadPath[];
}

/** A folder that cannot be listed, or a link that cannot be followed. */
export interface UnreadPath {
  readonly path: string;
  readonly reason: string;
}

/** What to search, as tinyglobby takes it; paths come relative to `cwd`. */
export type Search = Omit<GlobOptions, 'fs' | 'cwd' | 'absolute'> & { readonly cwd: string };

/**
 * Files by pattern. The library passes over folders that it cannot read and links that it cannot follow, without a word; here they are
 * told, for what cannot be read is not the same as empty.
 */
export async function findFiles(search: Search): Promise<FoundFiles> {
  const folders = new Map<string, Error>();
  const links = new Map<string, Error>();
  const found = await glob({
    ...search,
    fs: {
      readdir: watched(readdir, (path, error, answer) => {
        // One that went away meanwhile, or never was there, holds nothing.
        if (!isMissing(error)) {
          folders.set(path, error);
        }
        answer(error);
      }),
      // A broken link is matched by its own name: an editor leaves others beside the files that it has open.
      realpath: watched(realpath, (path, error, answer) => {
        links.set(path, error);
        answer(null, path);
      }),
      stat: watched(stat, (path, error, answer) => {
        links.set(path, error);
        lstat(path, answer);
      }),
    },
  });
  const inside = (path: string): string => slashed(relative(search.cwd, path));
  const broken = new Map([...links].map(([path, error]) => [inside(path), error]));
  const files = found.map(slashed);
  const unread = [
    ...[...folders].map(async ([path, error]) => ({ path: inside(path), reason: await why(error, path) })),
    ...files.flatMap((path) => {
      const error = broken.get(path);
      return error === undefined ? [] : [why(error, path).then((reason) => ({ path, reason }))];
    }),
  ];
  return {
    files: files.filter((path) => !broken.has(path)),
    unread: (await Promise.all(unread)).sort((a, b) => (a.path < b.path ? -1 : 1)),
  };
}

async function why(error: Error, path: string): Promise<string> {
  const leadsNowhere = isMissing(error) || ('code' in error && error.code === 'ELOOP');
  return leadsNowhere ? 'is a link that leads nowhere' : (await whyUnread(error, path, path)).reason;
}

type Answer = (error: Error | null, ...rest: readonly unknown[]) => void;

/** A function of `node:fs` whose failures are answered by `fail`. */
function watched<Called extends (path: string, ...rest: never[]) => void>(
  called: Called,
  fail: (path: string, error: Error, answer: Answer) => void,
): Called {
  return new Proxy(called, {
    apply(target, self, given: readonly unknown[]) {
      const [path, answer] = [given[0], given.at(-1)];
      const tell: Answer = (...told) =>
        typeof answer === 'function' ? Reflect.apply(answer, undefined, told) : undefined;
      const done: Answer = (error, ...rest) =>
        error === null ? tell(null, ...rest) : fail(String(path), error, tell);
      Reflect.apply(target, self, [...given.slice(0, -1), done]);
    },
  });
}

function slashed(path: string): string {
  return path.replaceAll('\\', '/');
}
