import { errorCode } from '../../files/index.ts';
import { RulewrightError } from '../../model/index.ts';
import { gitFailure } from './git-failure.ts';
import { gitBytes, gitText } from './git.ts';

/** The files of a folder as they were at a revision. */
export interface Revision {
  /** All files below the folder, by their paths relative to it, with the ids of their contents. */
  list(): Promise<readonly RevisionEntry[]>;
  /** Returns the text of one file, following links, in a request of its own; undefined if there is none. */
  text(path: string): Promise<string | undefined>;
  /** The contents of files, by their ids. */
  contents(ids: readonly string[]): Promise<ReadonlyMap<string, Buffer>>;
}

/** A file of a revision. */
export interface RevisionEntry {
  readonly path: string;
  readonly id: string;
  readonly isLink: boolean;
}

/** Maximum output of Git for all files of a project, or for their names, in bytes. */
const MAX_TOTAL_BYTES = 512 * 1024 * 1024;

/**
 * Opens a revision of the Git repository that contains a folder, given by its absolute path. Throws `settings/no-revision` if there is no
 * such revision, and `settings/revision-unread` if Git cannot tell.
 */
export async function openRevision(folder: string, revision: string): Promise<Revision> {
  const commit = await resolveCommit(folder, revision);
  const ask = <Answer>(question: () => Promise<Answer>): Promise<Answer> =>
    asked(revision, question, (reason, cause) =>
      // The commit exists, so a failure from here on does not mean that the revision is misnamed.
      Promise.resolve(
        unread(revision, { reason: reason === '' ? 'Git has failed' : reason, hint: MEND, cause }),
      ),
    );
  return {
    async list() {
      const words = ['ls-tree', '-r', '-z', commit];
      const lines = await ask(() => gitText(folder, words, { maxBytes: MAX_TOTAL_BYTES }));
      return lines.split('\0').flatMap((line) => entryOf(line));
    },
    async text(path) {
      const words = ['cat-file', '--batch', '--follow-symlinks'];
      const input = `${commit}:./${path}\n`;
      const [content] = readBatch(await ask(() => gitBytes(folder, words, { input }))).values();
      return content?.toString('utf8');
    },
    async contents(ids) {
      const input = ids.map((id) => `${id}\n`).join('');
      const options = { input, maxBytes: MAX_TOTAL_BYTES };
      const contents = readBatch(await ask(() => gitBytes(folder, ['cat-file', '--batch'], options)));
      if (ids.some((id) => !contents.has(id))) {
        throw unread(revision, {
          reason: 'the repository lacks some of its files',
          hint: MEND,
        });
      }
      return contents;
    },
  };
}

/**
 * Returns the commit at which HEAD branched off from a revision; null where HEAD contains the revision, and where Git knows no common commit,
 * as in a shallow clone. Throws `settings/no-revision` when there is no such revision.
 */
export async function branchPoint(folder: string, revision: string): Promise<string | null> {
  const commit = await resolveCommit(folder, revision);
  const point = (await gitText(folder, ['merge-base', commit, 'HEAD']).catch(() => '')).trim();
  return point === '' || point === commit ? null : point;
}

/**
 * Parses a line of `ls-tree`: mode, type and id, then the path. Leaves out what is no file (a submodule), and paths outside of the
 * folder, which a maliciously crafted tree may have.
 */
function entryOf(line: string): readonly RevisionEntry[] {
  const [, mode, id, path] = /^(\d+) blob ([0-9a-f]+)\t(.*)$/s.exec(line) ?? [];
  return id === undefined || path === undefined || path.split('/').includes('..')
    ? []
    : [{ path, id, isLink: mode === '120000' }];
}

const LINE_END = 0x0a;

/** Parses the output of `cat-file --batch`: for each file a line with id, type and size, then that many bytes and a line end. */
function readBatch(answer: Buffer): ReadonlyMap<string, Buffer> {
  const contents = new Map<string, Buffer>();
  let at = 0;
  while (at < answer.length) {
    const end = answer.indexOf(LINE_END, at);
    const [, id, size] = /^([0-9a-f]+) blob (\d+)$/.exec(answer.toString('utf8', at, end)) ?? [];
    if (id === undefined || size === undefined) {
      break;
    }
    const start = end + 1;
    contents.set(id, answer.subarray(start, start + Number(size)));
    at = start + Number(size) + 1;
  }
  return contents;
}

async function resolveCommit(folder: string, revision: string): Promise<string> {
  // No revision is taken for an option, whatever it begins with.
  const words = ['rev-parse', '--verify', '--end-of-options', `${revision}^{commit}`];
  const text = await asked(
    revision,
    () => gitText(folder, words),
    async (reason, cause) => {
      const shallow = await gitText(folder, ['rev-parse', '--is-shallow-repository']).catch(() => '');
      const hint = /^0+$/u.test(revision) ? NOTHING_BEFORE : shallow.trim() === 'true' ? DEEPEN : NAME_ONE;
      return noRevision(revision, { reason: reason === SAYS_NOTHING ? '' : reason, hint, cause });
    },
  );
  const commit = text.trim().split('\n').at(-1) ?? '';
  if (!/^[0-9a-f]{40,64}$/.test(commit)) {
    throw noRevision(revision, { reason: `it answered ${JSON.stringify(commit)}`, hint: NAME_ONE });
  }
  return commit;
}

/** Runs Git and returns its answer; `otherwise` makes the error if Git objects to the question itself. */
async function asked<Answer>(
  revision: string,
  ask: () => Promise<Answer>,
  otherwise: (reason: string, cause: unknown) => Promise<RulewrightError>,
): Promise<Answer> {
  try {
    return await ask();
  } catch (cause) {
    if (errorCode(cause) === 'ERR_CHILD_PROCESS_STDIO_MAXBUFFER') {
      const reason = 'it has more YAML and JSON files in the folder of the project than can be read';
      throw unread(revision, { reason, hint: 'give the project a folder of its own', cause });
    }
    const { reason, hint } = gitFailure(cause);
    if (hint !== undefined) {
      throw unread(revision, { reason, hint, cause });
    }
    throw await otherwise(reason, cause);
  }
}

/** What Git says about a name that it does not know. */
const SAYS_NOTHING = 'Needed a single revision';

const NOTHING_BEFORE =
  'a forge says so where nothing was pushed to a branch before; leave the flag out then, and every scope is planned';

const NAME_ONE = 'name a commit, branch or tag of the repository that contains the project';

const DEEPEN =
  'this clone is shallow: fetch what is missing with git fetch --unshallow, or check out with the whole history (fetch-depth: 0 on GitHub, GIT_DEPTH: 0 on GitLab)';

/** The hint for a repository that cannot be read completely. */
const MEND = 'fetch what is missing with git fetch --refetch, or see what git fsck says';

interface Why {
  /** What Git said; empty if that tells nothing. */
  readonly reason: string;
  readonly hint: string;
  readonly cause?: unknown;
}

function noRevision(revision: string, { reason, ...why }: Why): RulewrightError {
  const said = reason === '' ? '' : `: ${reason}`;
  return new RulewrightError(`Git has no revision ${JSON.stringify(revision)} here${said}`, {
    code: 'settings/no-revision',
    fault: 'user',
    ...why,
  });
}

/** Returns the error for a failure that does not depend on which revision was named. */
function unread(revision: string, { reason, ...why }: Why): RulewrightError {
  return new RulewrightError(`the revision ${JSON.stringify(revision)} cannot be read: ${reason}`, {
    code: 'settings/revision-unread',
    fault: 'user',
    ...why,
  });
}
