import { join } from 'node:path';
import { projectFolder } from '../app/project/project-folder.ts';
import type { FileUse } from './flag.ts';
import type { RunFile } from './run-file.ts';

/** Files that runs keep in the folder of the project for those to come, unless flags name others. */
const KEPT = [
  { name: 'journal.jsonl', words: 'the journal', use: 'journal' },
  { name: 'retired.jsonl', words: 'the journal of deletions', use: 'journal' },
  { name: 'emulator.json', words: 'the state of the emulator', use: 'state' },
] as const;

/** What is kept beside a file so that two runs do not write it. */
const LOCK = '.lock';

/** Uses of files that have a lock beside them. */
const LOCKED: ReadonlySet<FileUse> = new Set(['journal', 'state']);

/** Where a run looks for its project. */
export interface KeptQuery {
  readonly cwd: string;
  readonly config: string | undefined;
  /** The arguments: a project elsewhere may be among them. */
  readonly paths: readonly string[];
}

/** The files that nobody named and nobody may replace: journals, the state of the emulator, and the locks, also of those that `named` names. */
export async function keptFiles(
  { cwd, config, paths }: KeptQuery,
  named: readonly RunFile[],
): Promise<readonly RunFile[]> {
  const folders = new Set<string>();
  for (const some of [[], paths]) {
    folders.add(await projectFolder({ cwd, config, paths: some }));
  }
  const kept = [...folders].flatMap((folder) =>
    KEPT.map(({ name, words, use }): RunFile => ({ words, path: join(folder, '.rulewright', name), use })),
  );
  const locked = [...kept, ...named.filter(({ use }) => LOCKED.has(use))];
  return [
    ...kept,
    ...locked.map(({ words, path }): RunFile => ({
      words: `the lock of ${words}`,
      path: path + LOCK,
      use: 'lock',
    })),
  ];
}
