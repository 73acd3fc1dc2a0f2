import { errorCode } from '../../files/error-code.ts';

/** Why Git gave no answer. */
export interface GitFailure {
  /** In Git's own words, unless it could not be run; empty where it said nothing. */
  readonly reason: string;
  /** How to mend it; absent where what was asked decides that. */
  readonly hint?: string;
}

/** What an error of running Git says: there is none, it does not trust the repository, or it could not do what was asked. */
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
