import { keptPath, projectFolder } from '../app/index.ts';
import { lockOf } from '../files/index.ts';
import type { FileUse, NamedFile } from './flag.ts';

/** Files that runs keep in the folder of a project, and what messages call them. */
const KEPT = [
  { file: 'journal', words: 'the journal', use: 'journal' },
  { file: 'retirements', words: 'the journal of deletions', use: 'journal' },
  { file: 'emulator', words: 'the state of the emulator', use: 'state' },
] as const;

/** Uses of files that have a lock beside them. */
const LOCKED: ReadonlySet<FileUse> = new Set(['journal', 'state']);

/** How a run finds its project. */
export interface KeptQuery {
  readonly cwd: string;
  readonly config: string | undefined;
  /** The arguments, which may lead to a project elsewhere. */
  readonly paths: readonly string[];
}

/**
 * Returns the files that no result may replace although no flag names them: journals, the state of the emulator, and the locks of both, including
 * the locks of files in `named`.
 */
export async function keptFiles(
  { cwd, config, paths }: KeptQuery,
  named: readonly NamedFile[],
): Promise<readonly NamedFile[]> {
  const folders = new Set<string>();
  for (const some of [[], paths]) {
    folders.add(await projectFolder({ cwd, config, paths: some }));
  }
  const kept = [...folders].flatMap((folder) =>
    KEPT.map(({ file, words, use }): NamedFile => ({ words, path: keptPath(folder, file), use })),
  );
  const locked = [...kept, ...named.filter(({ use }) => LOCKED.has(use))];
  return [
    ...kept,
    ...locked.map(({ words, path }): NamedFile => ({
      words: `the lock of ${words}`,
      path: lockOf(path),
      use: 'lock',
    })),
  ];
}
