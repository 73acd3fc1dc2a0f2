import { execFile } from 'node:child_process';
import { realpath } from 'node:fs/promises';
import { dirname, join, parse } from 'node:path';
import { promisify } from 'node:util';
import { gitFailure } from './git-failure.ts';

const run = promisify(execFile);

/** The text of a file in Git: staged, or else committed; empty for a file that Git does not know. */
export type SavedText =
  | { readonly kind: 'told'; readonly text: string }
  /** Git cannot tell, so the file must not be taken as saved. */
  | { readonly kind: 'untold'; readonly reason: string; readonly hint: string };

/** Looks up the text of a file that Git could restore; `untold` without Git, or outside of a work tree. */
export async function savedText(root: string, path: string): Promise<SavedText> {
  // Git stores the target path of a link, not the content behind it.
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

/** Shortens Git's message, which goes on with where it has looked; messages in other languages stay as they are. */
function plainReason(reason: string): string {
  return reason.startsWith('not a git repository') ? 'not in a Git repository' : reason || 'Git has failed';
}

const COMMIT = 'put the files into a Git repository (git init), and commit them first';

/** Maximum output of Git in bytes; larger files are not project files. */
const MAX_BYTES = 32 * 1024 * 1024;
