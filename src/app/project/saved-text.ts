import { execFile } from 'node:child_process';
import { realpath } from 'node:fs/promises';
import { dirname, join, parse } from 'node:path';
import { promisify } from 'node:util';
import { gitFailure } from './git-failure.ts';

const run = promisify(execFile);

/** What Git has of a file: staged, or else committed; nothing of one that it does not know. */
export type SavedText =
  | { readonly kind: 'told'; readonly text: string }
  /** Git cannot tell, so nobody may rely on it. */
  | { readonly kind: 'untold'; readonly reason: string; readonly hint: string };

/** Looks up what could be brought back of a file with Git. Without Git, or outside of a work tree, that cannot be told. */
export async function savedText(root: string, path: string): Promise<SavedText> {
  // Git has of a link where it leads, and not what is there.
  const file = await realpath(join(root, path)).catch(() => join(root, path));
  // Windows looks for a program in the working folder first, where a checkout may have brought one along.
  const cwd = parse(file).root;
  const git = async (...words: readonly string[]): Promise<string> => {
    const { stdout } = await run('git', ['-C', dirname(file), ...words], { cwd, maxBuffer: MAX_BYTES });
    return stdout;
  };
  try {
    await git('rev-parse', '--show-toplevel');
  } catch (error) {
    const { reason, hint = COMMIT } = gitFailure(error);
    return { kind: 'untold', reason: plainReason(reason), hint };
  }
  const text = await git('cat-file', 'blob', `:./${parse(file).base}`).catch(() => '');
  return { kind: 'told', text };
}

/** Git goes on with where it has looked. In other languages its own words have to do. */
function plainReason(reason: string): string {
  return reason.startsWith('not a git repository') ? 'not in a Git repository' : reason || 'Git has failed';
}

const COMMIT = 'put the files into a Git repository (git init), and commit them first';

/** Larger files are no files of ours. */
const MAX_BYTES = 32 * 1024 * 1024;
