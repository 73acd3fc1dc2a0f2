import { errorCode } from '../../files/index.ts';

/** Why a Git command failed. */
export interface GitFailure {
  /** The reason in Git's own words, unless Git could not be run; empty if it said nothing. */
  readonly reason: string;
  /** How to fix it; absent if that depends on what was asked. */
  readonly hint?: string;
}

/** Explains why Git failed: it is not installed, does not trust the repository, or could not do what was asked. */
export function gitFailure(error: unknown): GitFailure {
  if (errorCode(error) === 'ENOENT') {
    return { reason: 'there is no program git', hint: 'install Git, or add it to PATH' };
  }
  const said = error instanceof Error && 'stderr' in error ? String(error.stderr).trim() : '';
  const [first = ''] = said.split('\n');
  const reason = first.replace(/^fatal: /u, '');
  const trust = /^\s*git config --global --add safe\.directory .*$/m.exec(said);
  return trust === null ? { reason } : { reason, hint: trust[0].trim() };
}
