import { readdir, realpath, stat } from 'node:fs';
import { realpath as realPathOf } from 'node:fs/promises';
import { basename, dirname, join, relative, sep } from 'node:path';
import type { GlobOptions } from 'tinyglobby';
import { glob } from 'tinyglobby';
import { isInside } from './inside.ts';
import { isMissing } from './missing.ts';
import { whyUnread } from './unread.ts';

/** What patterns match, and what on the way to it could not be looked at. Paths have `/`. */
export interface FoundFiles {
  /** Each once, whatever links lead to it: by its own path if that is found. */
  readonly files: readonly string[];
  /** In order, with the reason in words. */
  readonly unread: readonly UnreadPath[];
  /** In order: links that lead out of the folder. */
  readonly outside: readonly string[];
}

/** A folder that cannot be listed, or a link that cannot be followed. */
export interface UnreadPath {
  readonly path: string;
  readonly reason: string;
}

/** Patterns of what is best passed over. */
export const NODE_MODULES = '**/node_modules/**';
export const HIDDEN = '**/.*';

/** A folder is listed once for each way to it; where links lead from folder to folder and back, the ways have no end. */
const MOST_WAYS = 8;

/** What to search, as tinyglobby takes it; paths come relative to `cwd`. */
export interface Search extends Omit<GlobOptions, 'fs' | 'cwd' | 'absolute'> {
  readonly cwd: string;
  /** The folder that no link may leave; `cwd` unless given. */
  readonly within?: string;
}

/**
 * Files by pattern. The library passes without a word over folders that it cannot read and links that it cannot follow, and walks through
 * links wherever they lead. Here the former are told, for what cannot be read is not the same as empty, and a link out of the folder is
 * not followed: who walked through one could walk over the whole disk.
 */
export async function findFiles({ within, ...search }: Search): Promise<FoundFiles> {
  const cwd = await realPathOf(search.cwd);
  const bounds = within === undefined ? cwd : await realPathOf(within);
  const away = new Set<string>();
  const broken = new Set<string>();
  const refused = new Set<string>();
  const times = new Map<string, number>();
  const failed = new Map<string, Error>();
  let linked = false;
  const found = await glob({
    ...search,
    fs: {
      // The library asks for what a link leads to, then for what that is, then lists it, if it is a folder that the patterns lead to.
      realpath: hooked(realpath, (link, follow, answer) =>
        follow((error, target) => {
          const real = String(target);
          linked = true;
          if (error === null && !isInside(bounds, real)) {
            away.add(link);
          }
          answer(null, error === null && !away.has(link) ? real : link);
        }),
      ),
      // What leads nowhere may stand for a folder as well as for a file: it passes for one, which cannot be listed.
      stat: hooked(stat, (path, look, answer) =>
        look((error, facts) => {
          if (error === null) {
            answer(null, facts);
          } else {
            broken.add(path);
            stat(search.cwd, answer);
          }
        }),
      ),
      readdir: hooked(readdir, (written, list, answer) => {
        const path = written.length > 1 ? written.replace(/\/$/u, '') : written;
        realpath.native(path, (unresolved, target) => {
          const real = unresolved === null ? target : path;
          times.set(real, (times.get(real) ?? 0) + 1);
          if (unresolved === null && !isInside(bounds, real)) {
            refused.add(path);
            answer(null, []);
            return;
          }
          if ((times.get(real) ?? 0) > MOST_WAYS) {
            failed.set(path, new Error('too many links lead to it'));
            answer(null, []);
            return;
          }
          list((error, entries) => {
            // One that went away meanwhile, or never was there, holds nothing.
            if (error !== null && (broken.has(path) || !isMissing(error))) {
              failed.set(path, error);
            }
            answer(error, entries);
          });
        });
      }),
    },
  });
  const name = (path: string): string =>
    slashed(relative(isInside(search.cwd, path) ? search.cwd : cwd, path));
  const behind = new Set([...away].map((link) => name(link)));
  const unread = [...failed].map(async ([path, error]) => ({
    path: name(path),
    reason: await why(error, path),
  }));
  const outside = [...refused].map(async (link) => {
    // A folder that is found twice has the link but once.
    const folder = await realPathOf(dirname(link));
    return isInside(bounds, folder) ? slashed(relative(cwd, join(folder, basename(link)))) : name(link);
  });
  const files = found.filter((path) => !behind.has(path));
  return {
    files: linked ? await eachOnce(cwd, files) : files,
    unread: (await Promise.all(unread)).sort((a, b) => (a.path < b.path ? -1 : 1)),
    outside: [
      ...new Set([...(await Promise.all(outside)), ...found.filter((path) => behind.has(path))]),
    ].sort(),
  };
}

async function eachOnce(cwd: string, files: readonly string[]): Promise<readonly string[]> {
  const resolved = await Promise.all(
    files.map(async (path) => {
      const real = await realPathOf(join(cwd, path)).catch(() => join(cwd, path));
      return { path, real, isOwn: real === join(cwd, path) };
    }),
  );
  const own = new Set(resolved.flatMap(({ real, isOwn }) => (isOwn ? [real] : [])));
  const seen = new Set<string>();
  return resolved
    .sort((a, b) => (a.path < b.path ? -1 : 1))
    .flatMap(({ path, real, isOwn }) => {
      const isKept = isOwn || (!own.has(real) && !seen.has(real));
      seen.add(real);
      return isKept ? [path] : [];
    });
}

async function why(error: Error, path: string): Promise<string> {
  const leadsNowhere = isMissing(error) || ('code' in error && error.code === 'ELOOP');
  return leadsNowhere ? 'is a link that leads nowhere' : (await whyUnread(error, path, path)).reason;
}

type Answer = (error: Error | null, ...rest: readonly unknown[]) => void;

/** A function of `node:fs` with a hook between its call and its answer. */
function hooked<Called extends (path: string, ...rest: never[]) => void>(
  called: Called,
  hook: (path: string, call: (answer: Answer) => void, answer: Answer) => void,
): Called {
  return new Proxy(called, {
    apply(target, self, given: readonly unknown[]) {
      const [path, answer] = [given[0], given.at(-1)];
      hook(
        String(path),
        (done) => Reflect.apply(target, self, [...given.slice(0, -1), done]),
        (...told) => (typeof answer === 'function' ? Reflect.apply(answer, undefined, told) : undefined),
      );
    },
  });
}

function slashed(path: string): string {
  return path.replaceAll(sep, '/');
}
