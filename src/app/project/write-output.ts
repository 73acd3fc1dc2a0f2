import type { Stats } from 'node:fs';
import { chmod, rm, stat, writeFile } from 'node:fs/promises';
import { dirname, resolve } from 'node:path';
import writeFileAtomic from 'write-file-atomic';
import {
  hintForFile,
  makeFolder,
  exists,
  isMissing,
  namingFile,
  refuseLinks,
  realPlace,
  isStream,
} from '../../files/index.ts';
import { RulewrightError } from '../../model/index.ts';
import type { Pieces } from '../../report/index.ts';
import { isProjectFile, wouldBeProjectFile } from './project-files.ts';

/** A file to write a result to. */
export interface OutputTarget {
  /** Folder that a relative path starts from. */
  readonly cwd: string;
  /** The path as it was typed. */
  readonly path: string;
  /** The project file, when it is named. */
  readonly config?: string | undefined;
}

/**
 * Throws `output/refused` for a target that a result must not replace (a pipe, a device, a folder, a file of the project), and
 * `output/not-written` for one that cannot be inspected. Commands that write to the service call it before they begin.
 */
export async function checkOutput({ cwd, path, config }: OutputTarget): Promise<void> {
  const file = resolve(cwd, path);
  const there = isStream(file) ? null : await statOf(file, path);
  if (there === null) {
    return;
  }
  if (!there.isFile()) {
    throw refused(`${path} is not a regular file, and a result must not replace it`);
  }
  if (await isProjectFile(file, { cwd, config })) {
    throw refused(`${path} is a file of the project, and a result must not replace it`);
  }
}

/** Throws `output/refused` for a file that is not there yet and that the project would read as its own, so that no command could go on. */
export async function checkNewOutput({ cwd, path, config }: OutputTarget): Promise<void> {
  const file = await realPlace(resolve(cwd, path));
  if (!(await exists(file)) && (await wouldBeProjectFile(file, { cwd, config }))) {
    throw refused(`${path} would be read as a file of the project, which a result is not`);
  }
}

/**
 * Writes a result to a file atomically, and creates missing folders, as of a zone file; appends to a standard stream. Throws `output/refused` as
 * `checkOutput` does, and `output/not-written` when the file system refuses.
 */
export async function writeOutput(target: OutputTarget, text: Pieces): Promise<void> {
  await checkOutput(target);
  const { cwd, path } = target;
  const file = resolve(cwd, path);
  try {
    if (isStream(file)) {
      await writeFile(file, text, { flag: 'a' });
      return;
    }
    await refuseLinks(file);
    await makeFolder(dirname(file));
    // Pieces are written to the temporary file as they are made; the library then syncs and renames it.
    await namingFile(file, () =>
      writeFileAtomic(file, '', { tmpfileCreated: (temporary) => fill(temporary, text) }),
    );
  } catch (error) {
    if (!(error instanceof Error && 'syscall' in error)) {
      // A piece could not be made, so the file system has refused nothing.
      throw error;
    }
    throw notWritten(path, error);
  }
}

function notWritten(path: string, error: Error): RulewrightError {
  return new RulewrightError(`${path} cannot be written: ${error.message}`, {
    code: 'output/not-written',
    fault: 'user',
    hint: hintForFile(error) ?? 'check the path and the permissions of its folder',
    cause: error,
  });
}

const OWNER_WRITES = 0o200;

/**
 * Fills the temporary file. It has the mode of the file that it replaces, which may be read-only, so it is made writable; the
 * library sets that mode again at the end.
 */
async function fill(temporary: string, text: Pieces): Promise<void> {
  const { mode } = await stat(temporary);
  if ((mode & OWNER_WRITES) === 0) {
    await chmod(temporary, mode | OWNER_WRITES);
  }
  await writeFile(temporary, text);
}

/** Removes the output of an earlier run, so that after a failure it is not taken for the result of this one. Throws like `checkOutput`. */
export async function removeOutput(target: OutputTarget): Promise<void> {
  await checkOutput(target);
  const file = resolve(target.cwd, target.path);
  if (!isStream(file)) {
    await rm(file, { force: true });
  }
}

/**
 * Returns the facts about a file; null if there is none. Throws `output/not-written` if it cannot be inspected, since it may be a
 * file of the project.
 */
async function statOf(file: string, path: string): Promise<Stats | null> {
  try {
    return await stat(file);
  } catch (error) {
    if (isMissing(error) || !(error instanceof Error)) {
      return null;
    }
    throw notWritten(path, error);
  }
}

function refused(message: string): RulewrightError {
  return new RulewrightError(message, {
    code: 'output/refused',
    fault: 'user',
    hint: 'name a file of its own for it',
  });
}
