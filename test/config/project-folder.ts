import { mkdir, mkdtemp, realpath, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { loadProject } from '../../src/config/load-project.ts';
import type { LoadOptions, LoadResult } from '../../src/config/load-project.ts';
import type { Project } from '../../src/config/read-project.ts';
import type { Diagnostic } from '../../src/model/diagnostic.ts';

/** Files by path; contents are text or bytes. */
export type Files = Readonly<Record<string, string | Uint8Array>>;

/** A project file that matches every zone and account file, and does not require refs. */
export const PROJECT = 'version: 1\nfiles: ["{accounts,zones}/*.yaml"]\nlint: {lint/missing-ref: off}\n';

/** Writes a project to a temporary folder, calls `run` with the folder, and removes it. */
export async function inFolder<Result>(
  files: Files,
  run: (root: string) => Promise<Result>,
): Promise<Result> {
  const root = await realpath(await mkdtemp(join(tmpdir(), 'rulewright-config-')));
  try {
    for (const [path, content] of Object.entries(files)) {
      await mkdir(dirname(join(root, path)), { recursive: true });
      await writeFile(join(root, path), content);
    }
    return await run(root);
  } finally {
    await rm(root, { recursive: true });
  }
}

/** Loads a project of the given files, with the default project file if none is given. */
export function loadFiles(files: Files, options: Partial<LoadOptions> = {}): Promise<LoadResult> {
  return inFolder({ 'rulewright.yaml': PROJECT, ...files }, (root) => loadProject({ cwd: root, ...options }));
}

/** Loads files that have to be valid, and returns the project. */
export async function loadValid(files: Files, options: Partial<LoadOptions> = {}): Promise<Project> {
  const result = await loadFiles(files, options);
  if (result.kind === 'invalid') {
    throw new Error(`the files are not valid:\n${result.diagnostics.map((one) => brief(one)).join('\n')}`);
  }
  return result.project;
}

/** A finding in one line: place, code and message. */
export function brief({ where, code, message }: Diagnostic): string {
  const place = where === undefined ? '-' : `${where.file}:${where.start.line}:${where.start.column}`;
  return `${place} ${code} ${message}`;
}
