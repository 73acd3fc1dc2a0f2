import { rm, utimes, open, rename } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { randomBytes, createCipheriv, createDecipheriv, createHmac, hkdfSync } from 'node:crypto';
import { constants } from 'node:fs';
import type { FileHandle } from 'node:fs/promises';
import { deflateRawSync, inflateRawSync } from 'node:zlib';
import { errorCode, isMissing, makeFolder, refuseLinks } from '../files/index.ts';
import { MAX_BYTES } from '../api/index.ts';
import type { Clock } from '../network/index.ts';
import type { Credentials } from '../api/index.ts';

/** Encrypts and decrypts entries, which only the same credentials for the same service can read. */
interface CacheCipher {
  /** Returns the opaque file name of an entry. */
  name(parts: readonly string[]): string;
  seal(name: string, text: string): Buffer;
  /** Returns the text; null for an entry that these credentials did not seal under this name, or that was changed since. */
  open(name: string, sealed: Buffer): string | null;
}

const NONCE_BYTES = 12;
const TAG_BYTES = 16;

/**
 * Creates a cipher: AES-256-GCM with a key derived from the credentials. So a cache that others can read shows nobody more than the service
 * would, contains nothing in the clear, and cannot be filled by somebody else.
 */
export function cacheCipher(service: string, credentials: Credentials): CacheCipher {
  const secret = credentials.kind === 'token' ? credentials.token : `${credentials.email} ${credentials.key}`;
  const derived = Buffer.from(hkdfSync('sha256', secret, 'rulewright cache 1', service, 64));
  const [key, nameKey] = [derived.subarray(0, 32), derived.subarray(32)];
  return {
    name: (parts) => createHmac('sha256', nameKey).update(JSON.stringify(parts)).digest('hex').slice(0, 40),
    seal: (name, text) => {
      const nonce = randomBytes(NONCE_BYTES);
      const cipher = createCipheriv('aes-256-gcm', key, nonce).setAAD(Buffer.from(name));
      const packed = deflateRawSync(text, { level: 1 });
      const body = Buffer.concat([cipher.update(packed), cipher.final()]);
      return Buffer.concat([nonce, cipher.getAuthTag(), body]);
    },
    open: (name, sealed) => {
      if (sealed.length < NONCE_BYTES + TAG_BYTES) {
        return null;
      }
      try {
        const decipher = createDecipheriv('aes-256-gcm', key, sealed.subarray(0, NONCE_BYTES))
          .setAAD(Buffer.from(name))
          .setAuthTag(sealed.subarray(NONCE_BYTES, NONCE_BYTES + TAG_BYTES));
        const body = sealed.subarray(NONCE_BYTES + TAG_BYTES);
        const packed = Buffer.concat([decipher.update(body), decipher.final()]);
        return inflateRawSync(packed, { maxOutputLength: MAX_BYTES }).toString('utf8');
      } catch {
        return null;
      }
    },
  };
}

// A cache may come from an archive that somebody else made. So symbolic links are not followed, and opening a named pipe does not block.

/** Opens a regular file without following a symbolic link. Rejects for anything else. */
export async function openRegularFile(path: string, mode: 'read' | 'touch'): Promise<FileHandle> {
  await refuseLinks(path);
  const { O_RDONLY, O_WRONLY, O_CREAT, O_NOFOLLOW, O_NONBLOCK } = constants;
  const file = await open(
    path,
    (mode === 'read' ? O_RDONLY : O_WRONLY | O_CREAT) | O_NOFOLLOW | O_NONBLOCK,
    0o600,
  );
  const found = await file.stat();
  if (!found.isFile()) {
    await file.close();
    throw Object.assign(new Error(`${path} is no file`), { code: 'ENOTFILE' });
  }
  return file;
}

/** Reads a regular file; rejects for more than `maxBytes`, and as `openRegularFile`. */
export async function readRegularFile(path: string, maxBytes: number): Promise<Buffer> {
  const file = await openRegularFile(path, 'read');
  try {
    const { size } = await file.stat();
    if (size > maxBytes) {
      throw Object.assign(new Error(`${path} is too large`), { code: 'EFBIG' });
    }
    return await file.readFile();
  } finally {
    await file.close();
  }
}

/**
 * Replaces a file atomically: writes a temporary file and renames it. `write-file-atomic` would follow a link to the file that it names. The file
 * is not synced: readers treat a file that a crash has truncated as a cache miss.
 */
export async function replaceFile(path: string, bytes: Buffer | string): Promise<void> {
  const temporary = `${path}.${randomBytes(8).toString('hex')}`;
  try {
    const file = await open(temporary, 'wx', 0o600);
    try {
      await file.writeFile(bytes);
    } finally {
      await file.close();
    }
    await rename(temporary, path);
  } catch (error) {
    await rm(temporary, { force: true });
    throw error;
  }
}

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
