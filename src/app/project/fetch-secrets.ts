import { spawn } from 'node:child_process';
import type { ChildProcess } from 'node:child_process';
import { constants, open, realpath } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { openProjectHead } from '../../config/index.ts';
import type { HeadReading, ProjectQuery } from '../../config/index.ts';
import { decodeUtf8, errorCode, isMissing } from '../../files/index.ts';
import { isCredential, PLAN_KEY, RulewrightError, steersRun } from '../../model/index.ts';
import type { Environment } from '../../model/index.ts';
import type { ProjectDocument } from '../../model/generated/documents.ts';
import { shellWord, someNames } from '../../text/index.ts';

/** What flags allow entries of `env` to read and to run. */
export interface SecretAccess {
  /** Folders in which a `file` may lie. */
  readonly folders: readonly string[];
  /** Whole command lines, as `shellWord` spells them. */
  readonly commands: readonly string[];
}

/** What bounds a file or a command. */
interface SecretLimits {
  readonly bytes: number;
  readonly milliseconds: number;
}

const LIMITS: SecretLimits = { bytes: 64 * 1024, milliseconds: 30_000 };

/** Where the value of an environment variable comes from that is not set. */
type SecretSource = { readonly from: string } & (
  | { readonly kind: 'file'; readonly path: string }
  | { readonly kind: 'exec'; readonly words: readonly string[] }
);

/**
 * Returns the environment with the values that files and commands have for entries of `env` whose environment variable is not set. Throws
 * `sensitive/not-allowed` and `sensitive/not-read`; no message has a part of a value, or what a command wrote to stderr.
 */
export async function withFetchedSecrets(
  project: ProjectQuery & HeadReading,
  environment: Environment,
  {
    access,
    signal,
    limits = LIMITS,
  }: { readonly access: SecretAccess; readonly signal?: AbortSignal; readonly limits?: SecretLimits },
): Promise<Environment> {
  // A saved plan may lie where there is no project: it is judged by the one around.
  const found = (await openProjectHead(project)) ?? (await openProjectHead({ ...project, paths: [] }));
  if (found === undefined) {
    return environment;
  }
  const all = { ...environment };
  const commands = {
    written: new Map<string, Buffer>(),
    root: found.root,
    environment,
    access,
    limits,
    signal,
  };
  for (const source of sourcesIn(found.head.valid?.value.env)) {
    if ((all[source.from] ?? '') === '') {
      if (steersRun(source.from)) {
        throw refused(
          'sensitive/not-allowed',
          `${source.from} steers the run itself, so no ${source.kind === 'file' ? 'file' : 'command'} gives its value`,
          { hint: 'name another variable in `from`; it need not be set' },
        );
      }
      all[source.from] =
        source.kind === 'file'
          ? await fileValue(source, {
              folders: access.folders.map((one) => resolve(project.cwd, one)),
              limits,
            })
          : await commandValue(source, commands);
    }
  }
  return all;
}

function sourcesIn(env: ProjectDocument['env'] = {}): readonly SecretSource[] {
  return Object.values(env).flatMap((said): readonly SecretSource[] => {
    if (typeof said === 'string' || isCredential(said.from)) {
      return [];
    }
    const { from, file, exec } = said;
    return [
      ...(file === undefined ? [] : [{ kind: 'file', from, path: file } as const]),
      ...(exec === undefined ? [] : [{ kind: 'exec', from, words: exec } as const]),
    ];
  });
}

async function fileValue(
  { from, path }: Extract<SecretSource, { readonly kind: 'file' }>,
  { folders, limits }: { readonly folders: readonly string[]; readonly limits: SecretLimits },
): Promise<string> {
  if (folders.length === 0) {
    throw refused(
      'sensitive/not-allowed',
      `${from} comes from the file ${path}, and no flag names its folder`,
      {
        hint: `set ${from}, or name the folder: --secret-files DIR`,
      },
    );
  }
  for (const folder of folders) {
    const bytes = await bytesIn(folder, path, limits).catch((error: unknown) => {
      throw error instanceof RulewrightError
        ? error
        : unread(from, `the file ${path} cannot be read: ${errorCode(error) ?? 'unknown error'}`);
    });
    if (typeof bytes === 'string') {
      throw unread(from, `the file ${path} ${bytes}`, bytes === LINKED ? linkHint(from, folder) : undefined);
    }
    if (bytes !== undefined) {
      return textOf(from, bytes);
    }
  }
  throw unread(from, `there is no file ${path} in ${someNames(folders, 3)}`);
}

const LINKED = 'lies behind a symbolic link, which is not followed';

/** What Kubernetes mounts are links to files in the folder `..data`, itself a link; a flag may name a link. */
function linkHint(from: string, folder: string): string {
  const data = shellWord(join(folder, '..data'));
  return `name the folder that has the file itself; where Kubernetes mounted it, that is --secret-files ${data}. Or set ${from} in the environment`;
}

/** Returns what a file holds, or why it is not read; undefined where it is not there. */
async function bytesIn(
  folder: string,
  path: string,
  { bytes: most }: SecretLimits,
): Promise<Buffer | string | undefined> {
  try {
    const file = join(await realpath(folder), path);
    if ((await realpath(file)) !== file) {
      return LINKED;
    }
    // Without waiting for the other end of a pipe, or following a link that was put there just now.
    const handle = await open(file, constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK);
    try {
      // A folder on the way may have become a link since. Only Linux says which file it is that was opened.
      if (process.platform === 'linux' && (await realpath(`/proc/self/fd/${handle.fd}`)) !== file) {
        return LINKED;
      }
      if (!(await handle.stat()).isFile()) {
        return 'is no regular file';
      }
      const { buffer, bytesRead } = await handle.read(Buffer.alloc(most + 1), 0, most + 1, 0);
      return bytesRead > most ? `is larger than ${most} bytes` : buffer.subarray(0, bytesRead);
    } finally {
      await handle.close();
    }
  } catch (error) {
    if (isMissing(error)) {
      return undefined;
    }
    throw error;
  }
}

interface SecretCommands {
  /** What commands wrote in this run: one that many variables name runs once. */
  readonly written: Map<string, Buffer>;
  readonly root: string;
  readonly environment: Environment;
  readonly access: SecretAccess;
  readonly limits: SecretLimits;
  readonly signal: AbortSignal | undefined;
}

async function commandValue(
  { from, words }: Extract<SecretSource, { readonly kind: 'exec' }>,
  { written, root, environment, access, limits, signal }: SecretCommands,
): Promise<string> {
  const line = words.map(shellWord).join(' ');
  const [program = '', ...args] = words;
  if (!access.commands.includes(line)) {
    throw refused('sensitive/not-allowed', `${from} comes from the command ${line}, and no flag names it`, {
      hint: `set ${from}, or name the whole command: --secret-command ${shellWord(line)}`,
    });
  }
  const ended =
    written.get(line) ??
    (await outputOf(program, args, { cwd: root, env: withoutCredentials(environment), limits, signal }));
  if (typeof ended === 'string') {
    throw unread(from, `its command ${ended}`);
  }
  written.set(line, ended);
  return textOf(from, ended);
}

/**
 * Returns what a command writes, or how it failed, by nothing that it wrote. It leads a group of processes of its own, so that what it
 * started does not outlive its time.
 */
function outputOf(
  program: string,
  args: readonly string[],
  {
    limits: { bytes, milliseconds },
    signal,
    ...options
  }: {
    readonly cwd: string;
    readonly env: Record<string, string | undefined>;
    readonly limits: SecretLimits;
    readonly signal: AbortSignal | undefined;
  },
): Promise<Buffer | string> {
  return new Promise((done, fail) => {
    signal?.throwIfAborted();
    const running = spawn(program, args, {
      ...options,
      stdio: ['ignore', 'pipe', 'ignore'],
      detached: process.platform !== 'win32',
      windowsHide: true,
    });
    const written: Buffer[] = [];
    const stop = (): void => {
      endGroup(running);
      running.stdout.destroy();
      running.unref();
    };
    const ended = (answer: Buffer | string): void => {
      clearTimeout(timer);
      signal?.removeEventListener('abort', interrupted);
      done(answer);
    };
    const timer = setTimeout(() => {
      stop();
      ended(`took longer than ${milliseconds / 1000} seconds, and was ended`);
    }, milliseconds);
    const interrupted = (): void => {
      stop();
      clearTimeout(timer);
      fail(signal?.reason);
    };
    signal?.addEventListener('abort', interrupted, { once: true });
    let size = 0;
    running.stdout.on('data', (part: Buffer) => {
      size += part.length;
      written.push(part);
      if (size > bytes) {
        stop();
        ended(`wrote more than ${bytes} bytes`);
      }
    });
    running.on('error', (error) => {
      const code = errorCode(error) ?? 'unknown error';
      ended(code === 'ENOENT' ? 'is not there: no such program' : `could not be started: ${code}`);
    });
    running.on('close', (code, by) => {
      ended(
        code === 0
          ? Buffer.concat(written)
          : code === null
            ? `was ended (${by ?? 'unknown signal'})`
            : `ended with exit code ${code}; run it by hand to see what it says`,
      );
    });
  });
}

/** Ends a command and what it started, as far as it is there and not another user's. */
function endGroup(running: ChildProcess): void {
  const { pid } = running;
  try {
    if (pid === undefined || process.platform === 'win32') {
      running.kill('SIGKILL');
    } else {
      process.kill(-pid, 'SIGKILL');
    }
  } catch (error) {
    if (!['ESRCH', 'EPERM'].includes(errorCode(error) ?? '')) {
      throw error;
    }
  }
}

/** A command has no use for what this run reads the service with, or for the key of its digests. */
function withoutCredentials(environment: Environment): Record<string, string | undefined> {
  return Object.fromEntries(
    Object.entries(environment).filter(([name]) => !isCredential(name) && name !== PLAN_KEY),
  );
}

/** The line end behind a value is not a part of it. */
function textOf(from: string, bytes: Buffer): string {
  const decoded = decodeUtf8(bytes);
  const text = decoded.kind === 'text' ? decoded.text.replace(/\r?\n$/u, '') : '';
  if (text === '') {
    throw unread(from, decoded.kind === 'text' ? 'what gives it gave nothing' : 'it is no UTF-8 text');
  }
  return text;
}

function unread(
  from: string,
  why: string,
  hint = `mend it, or set ${from} in the environment`,
): RulewrightError {
  return refused('sensitive/not-read', `the sensitive value of ${from} could not be read: ${why}`, { hint });
}

function refused(
  code: 'sensitive/not-allowed' | 'sensitive/not-read',
  message: string,
  { hint }: { readonly hint: string },
): RulewrightError {
  return new RulewrightError(message, { code, fault: 'user', hint });
}
