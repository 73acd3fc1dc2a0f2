import { existsSync, mkdirSync, realpathSync, statSync } from 'node:fs';
import { dirname, join, posix, win32 } from 'node:path';

// The folder of the code cache. Whoever can write to it can run code, so only the user may: it is beside the code, or in the
// cache folder of the user.

interface Surroundings {
  readonly env: Readonly<NodeJS.ProcessEnv>;
  readonly platform: NodeJS.Platform;
  /** Id of the user that the process acts as; null on Windows, where folders of a user are closed to others by default. */
  readonly user: number | null;
}

/** The sticky bit, as on `/tmp`: everybody may write, but rename or remove only their own files. */
const STICKY = 0o1000;

/**
 * Returns the code cache of a folder of code: beside it where a build created one, else in the user's cache folder, created if necessary. Null with
 * `NODE_DISABLE_COMPILE_CACHE` (as for Node's own cache), and where no folder is safe.
 */
export function codeCacheFolder(code: string, { env, platform, user }: Surroundings): string | null {
  if (isSet(env['NODE_DISABLE_COMPILE_CACHE'])) {
    return null;
  }
  const beside = join(code, 'compiled');
  if (existsSync(beside)) {
    return beside;
  }
  const cache = userCache(env, platform);
  return cache === null ? null : ownFolder(join(cache, 'compiled'), user);
}

/** Returns this program's folder in the user's cache folder; null without an absolute path. */
export function userCache(env: Readonly<NodeJS.ProcessEnv>, platform: NodeJS.Platform): string | null {
  const path = platform === 'win32' ? win32 : posix;
  // The first variable also sets Node's own cache; for the second, the standard says to ignore relative paths.
  const named = [env['NODE_COMPILE_CACHE'], env['XDG_CACHE_HOME']].find(isAbsolute);
  if (named !== undefined) {
    return path.join(named, 'rulewright');
  }
  const [home, ...folders] =
    platform === 'win32'
      ? [env['LOCALAPPDATA'], 'rulewright', 'Cache']
      : [env['HOME'], ...(platform === 'darwin' ? ['Library', 'Caches'] : ['.cache']), 'rulewright'];
  return isAbsolute(home) ? path.join(home, ...folders) : null;

  function isAbsolute(text: string | undefined): text is string {
    return text !== undefined && path.isAbsolute(text);
  }
}

/**
 * Returns a folder that only this user can write to, created if necessary; null where that fails, and where others could write to it: by its mode, by
 * replacing a parent folder, or with a commit.
 */
export function ownFolder(wanted: string, user: number | null): string | null {
  try {
    const there = nearest(wanted);
    const real = realpathSync(there);
    if (!withParents(real).every((folder) => isGuarded(folder, user))) {
      return null;
    }
    const own = join(real, wanted.slice(there.length));
    mkdirSync(own, { recursive: true, mode: 0o700 });
    const { uid, mode } = statSync(own);
    return user === null || (uid === user && (mode & 0o077) === 0) ? own : null;
  } catch {
    return null;
  }
}

/** Returns the innermost existing folder on the way to a folder. */
function nearest(folder: string): string {
  return existsSync(folder) ? folder : nearest(dirname(folder));
}

function withParents(folder: string): readonly string[] {
  const parent = dirname(folder);
  return parent === folder ? [folder] : [folder, ...withParents(parent)];
}

/** Whether others can neither add nor replace anything in a folder, and it is not a checkout, which may bring files along. */
function isGuarded(folder: string, user: number | null): boolean {
  if (existsSync(join(folder, '.git'))) {
    return false;
  }
  const { uid, gid, mode } = statSync(folder);
  // A group with the same number as the user belongs to the user alone.
  const others = gid === uid ? 0o002 : 0o022;
  return user === null || ((uid === user || uid === 0) && ((mode & others) === 0 || (mode & STICKY) !== 0));
}

function isSet(text: string | undefined): boolean {
  return text !== undefined && text !== '';
}
