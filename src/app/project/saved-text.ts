import { realpath } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import { gitFailure } from './git-failure.ts';
import { gitText } from './git.ts';

/** The text of a file in Git: staged, or else committed; empty for a file that Git does not know. */
export type SavedText =
  | { readonly kind: 'told'; readonly text: string }
  /** Git cannot tell, so the file must not be taken as saved. */
  | { readonly kind: 'untold'; readonly reason: string; readonly hint: string };

/** Looks up the text of a file that Git could restore; `untold` without Git, or outside of a work tree. */
export async function savedText(root: string, path: string): Promise<SavedText> {
  // Git stores the target path of a link, not the content behind it.
  const file = await realpath(join(root, path)).catch(() => join(root, path));
  const folder = dirname(file);
  try {
    await gitText(folder, ['rev-parse', '--show-toplevel']);
  } catch (error) {
    const { reason, hint = COMMIT } = gitFailure(error);
    return { kind: 'untold', reason: plainReason(reason), hint };
  }
  const text = await gitText(folder, ['cat-file', 'blob', `:./${basename(file)}`]).catch(() => '');
  return { kind: 'told', text };
}

/** Shortens Git's message, which goes on with where it has looked; messages in other languages stay as they are. */
function plainReason(reason: string): string {
  return reason.startsWith('not a git repository') ? 'not in a Git repository' : reason || 'Git has failed';
}

const COMMIT = 'put the files into a Git repository (git init), and commit them first';
