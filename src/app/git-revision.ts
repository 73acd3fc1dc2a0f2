import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { RulewrightError } from '../model/error.ts';

/** The files of a folder as they were at a revision. */
export interface Revision {
  /** The text of a file, by its path relative to the folder; null when the revision does not have it. */
  read(path: string): Promise<string | null>;
}

const run = promisify(execFile);

/** Git answers no more than this for one file; larger ones are no files of ours. */
const MOST_BYTES = 32 * 1024 * 1024;

/**
 * Opens a revision of the Git repository that a folder lies in. Arguments go to Git as they are, through no
 * shell, and behind `--end-of-options`. Throws `settings/no-revision` when there is no such revision.
 */
export async function openRevision(folder: string, revision: string): Promise<Revision> {
  const git = async (...words: readonly string[]): Promise<string> => {
    const { stdout } = await run('git', ['-C', folder, ...words], { maxBuffer: MOST_BYTES });
    return stdout;
  };
  const commit = await resolveCommit(git, revision);
  return {
    async read(path) {
      const listed = await asked(revision, () =>
        git('ls-tree', '-z', '--name-only', commit, '--', `./${path}`),
      );
      return listed === '' ? null : asked(revision, () => git('cat-file', 'blob', `${commit}:./${path}`));
    },
  };
}

async function resolveCommit(
  git: (...words: readonly string[]) => Promise<string>,
  revision: string,
): Promise<string> {
  const name = `${revision}^{commit}`;
  const text = await asked(revision, () => git('rev-parse', '--verify', '--end-of-options', name));
  const commit = text.trim().split('\n').at(-1) ?? '';
  if (!/^[0-9a-f]{40,64}$/.test(commit)) {
    throw noRevision(revision, `it answered ${JSON.stringify(commit)}`);
  }
  return commit;
}

async function asked<Answer>(revision: string, ask: () => Promise<Answer>): Promise<Answer> {
  try {
    return await ask();
  } catch (error) {
    const said =
      error instanceof Error && 'stderr' in error && typeof error.stderr === 'string' ? error.stderr : '';
    throw noRevision(revision, said.trim().split('\n')[0] ?? '', error);
  }
}

function noRevision(revision: string, reason: string, cause?: unknown): RulewrightError {
  return new RulewrightError(`Git has no revision ${JSON.stringify(revision)} here: ${reason}`, {
    code: 'settings/no-revision',
    fault: 'user',
    hint: 'name a commit, branch or tag of the repository that the project lies in; in a shallow clone, fetch it first',
    ...(cause === undefined ? {} : { cause }),
  });
}
