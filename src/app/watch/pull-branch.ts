import { gitFailure } from '../project/git-failure.ts';
import { gitText } from '../project/git.ts';

/** A checkout, and the branch that it follows. */
export interface FollowedBranch {
  /** A folder in the checkout. */
  readonly folder: string;
  readonly remote: string;
  readonly branch: string;
}

/** The commit that a checkout has after a pull, or why it is not known to be that of the branch. */
export type Pulled =
  | { readonly kind: 'pulled'; readonly commit: string }
  | { readonly kind: 'failed'; readonly why: string };

/** Hooks of the checkout do not run, and nothing waits for a password or for a connection that does not move. */
const QUIETLY = [
  '-c',
  'core.hooksPath=/dev/null',
  '-c',
  'core.askPass=true',
  '-c',
  'http.lowSpeedLimit=100',
  '-c',
  'http.lowSpeedTime=60',
];

/**
 * Brings a checkout to the commit of its branch at the remote, and to no other: it has to be on the branch, without changes and commits of its own, so
 * that what is planned is what the branch says. What the tool itself keeps in `.rulewright` does not count as a change.
 */
export async function pullBranch({ folder, remote, branch }: FollowedBranch): Promise<Pulled> {
  const git = async (...words: readonly string[]): Promise<string> =>
    (await gitText(folder, [...QUIETLY, ...words])).trim();
  try {
    const on = await git('rev-parse', '--abbrev-ref', 'HEAD');
    if (on !== branch) {
      return failed(`the checkout is on ${on}, not on ${branch}`);
    }
    const changed = await git(
      'status',
      '--porcelain',
      '--',
      ':(top)',
      ':(top,exclude,glob)**/.rulewright/**',
    );
    if (changed !== '') {
      return failed(`the checkout has changes that no commit has: ${changed.split('\n', 1)[0] ?? ''}`);
    }
    await git('fetch', '--no-tags', '--end-of-options', remote, `refs/heads/${branch}`);
    const wanted = await git('rev-parse', 'FETCH_HEAD');
    const base = await git('rev-parse', 'HEAD');
    if ((await git('rev-list', '--max-count=1', base, `^${wanted}`)) !== '') {
      return failed(
        `the checkout has commits that ${branch} at ${remote} does not have; if that was rewritten, clone it again`,
      );
    }
    await git('merge', '--ff-only', wanted);
    return { kind: 'pulled', commit: wanted };
  } catch (error) {
    const { reason, hint } = gitFailure(error);
    const said = reason === '' ? 'Git has failed' : reason;
    return failed(hint === undefined ? said : `${said} (${hint})`);
  }
}

/** Returns the branch that a checkout is on. */
export async function currentBranch(folder: string): Promise<string | null> {
  const name = await gitText(folder, ['rev-parse', '--abbrev-ref', 'HEAD']).catch(() => '');
  return name.trim() === '' || name.trim() === 'HEAD' ? null : name.trim();
}

function failed(why: string): Pulled {
  return { kind: 'failed', why };
}
