import { execFile } from 'node:child_process';
import { dirname, join, parse } from 'node:path';
import { promisify } from 'node:util';

const run = promisify(execFile);

/** What Git has of a file: staged, or else committed; nothing of one that it does not know. */
export type SavedText =
  | { readonly kind: 'no-repository' }
  | { readonly kind: 'repository'; readonly text: string };

/** Looks up what could be brought back of a file with Git. Without Git, or outside of a work tree, there is no repository. */
export async function savedText(root: string, path: string): Promise<SavedText> {
  const file = join(root, path);
  // Windows looks for a program in the working folder first, where a checkout may have brought one along.
  const cwd = parse(file).root;
  const git = async (...words: readonly string[]): Promise<string | undefined> => {
    const asked = run('git', ['-C', dirname(file), ...words], { cwd, maxBuffer: MAX_BYTES });
    return asked.then(
      ({ stdout }) => stdout,
      () => undefined,
    );
  };
  if ((await git('rev-parse', '--is-inside-work-tree'))?.trim() !== 'true') {
    return { kind: 'no-repository' };
  }
  return { kind: 'repository', text: (await git('cat-file', 'blob', `:./${parse(file).base}`)) ?? '' };
}

/** Larger files are no files of ours. */
const MAX_BYTES = 32 * 1024 * 1024;
