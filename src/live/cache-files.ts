import { errorCode } from '../files/error-code.ts';
import { rm, utimes } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import type { CacheCipher } from './cache-cipher.ts';
import { MAX_BYTES } from '../api/body-text.ts';
import type { Clock } from '../network/clock.ts';
import { readRegularFile, replaceFile } from './atomic-file.ts';
import { makeFolder } from '../files/make-folder.ts';
import { isMissing } from '../files/missing.ts';
import { refuseLinks } from '../files/refuse-links.ts';

/** Stores sealed texts under keys, one file each. A file's content never changes, so concurrent runs are safe. */
export interface CacheFiles {
  /** Returns the text; null when there is none, or none that these credentials can open. */
  read(about: readonly string[]): Promise<string | null>;
  write(about: readonly string[], text: string): Promise<void>;
  remove(about: readonly string[]): Promise<void>;
}

/** Options of the cache files. */
export interface CacheFilesOptions {
  readonly folder: string;
  readonly cipher: CacheCipher;
  readonly clock: Clock;
  /** Called with the reason when the cache does not work; at most once. */
  readonly warn: (problem: string) => void;
}

/** The format of the entries, and the name of the folder that contains them; another format gets another folder. */
export const CACHE_FORMAT = 'v1';

/** An entry that is in use gets a new modification time once a day. */
const TOUCH_MS = 24 * 60 * 60 * 1000;

/** Opens the cache in a folder, which is created with the first entry. */
export function openCacheFiles({ folder, cipher, clock, warn }: CacheFilesOptions): CacheFiles {
  let told = false;
  const tellOnce = (problem: string): void => {
    if (!told) {
      told = true;
      warn(problem);
    }
  };
  const pathOf = (name: string): string => join(folder, CACHE_FORMAT, name.slice(0, 2), name.slice(2));
  const seen = new Map<string, number>();
  return {
    read: async (about) => {
      const name = cipher.name(about);
      const path = pathOf(name);
      const sealed = await readRegularFile(path, MAX_BYTES).catch((error: unknown) => {
        if (!isMissing(error)) {
          tellOnce(`${path} cannot be read (${reasonOf(error)}), so live state is read again`);
        }
        return null;
      });
      const text = sealed === null ? null : cipher.open(name, sealed);
      if (sealed !== null && text === null) {
        tellOnce(`${path} is damaged or was written by somebody else, so live state is read again`);
      }
      if (text !== null && clock.now() - (seen.get(name) ?? 0) > TOUCH_MS) {
        seen.set(name, clock.now());
        const now = new Date(clock.now());
        await utimes(path, now, now).catch(() => undefined);
      }
      return text;
    },
    write: async (about, text) => {
      const name = cipher.name(about);
      const path = pathOf(name);
      try {
        await makeFolder(dirname(path), 0o700);
        await replaceFile(path, cipher.seal(name, text));
      } catch (error) {
        tellOnce(`nothing can be kept in ${folder} (${reasonOf(error)})`);
      }
    },
    remove: async (about) => {
      const path = pathOf(cipher.name(about));
      await refuseLinks(dirname(path))
        .then(() => rm(path, { force: true }))
        .catch((error: unknown) => tellOnce(`${path} cannot be removed (${reasonOf(error)})`));
    },
  };
}

function reasonOf(error: unknown): string {
  const code = errorCode(error);
  return code === 'ELOOP'
    ? 'it is, or is in, a symbolic link, and none is followed'
    : (code ?? String(error));
}
