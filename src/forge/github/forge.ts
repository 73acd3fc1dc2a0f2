import { answerReaders } from '../answer-readers.ts';
import type { Comment, Forge, Issue, Issues, Thread } from '../port.ts';
import { RequestFailure } from '../request-failure.ts';
import { at, listAt, numberAt, textAt } from '../shape.ts';
import type { ForgeConnection } from '../connection.ts';
import { memoise } from '../../model/memoise.ts';
import type { GithubClient } from './client.ts';
import { openGithub } from './client.ts';

/** The maximum length of a comment and of the body of an issue; GitHub counts Unicode characters. */
const LIMIT = 65_536;

const { badAnswer, numberOf } = answerReaders('GitHub', 'GITHUB_API_URL');

/** Opens the comments and issues of a repository on GitHub. */
export function githubForge(connection: ForgeConnection, repository: string): Forge {
  const client = openGithub(connection);
  const [owner = '', repo = ''] = repository.split('/');
  const here = { owner, repo };
  const author = memoise(() => readAuthor(client));
  const thread = (number: number): Thread => issueThread(client, { here, number, author });
  return {
    limit: LIMIT,
    thread,
    issues: (label) => labelledIssues(client, { here, label, author, thread }),
    pullRequest: async (number) => {
      const found = await client.retry.read(() =>
        client.send('GET /repos/{owner}/{repo}/pulls/{pull_number}', { ...here, pull_number: number }),
      );
      const headSha = textAt(found, 'head', 'sha');
      if (headSha === null) {
        throw badAnswer(`pull request ${number}`);
      }
      const head = textAt(found, 'head', 'repo', 'full_name');
      return { headSha, fork: head === null || head !== textAt(found, 'base', 'repo', 'full_name') };
    },
    pullRequestOf: async (sha) => {
      const found = await client.retry.read(() =>
        client.pages('GET /repos/{owner}/{repo}/commits/{commit_sha}/pulls', { ...here, commit_sha: sha }),
      );
      const merged = found.find((one) => textAt(one, 'merge_commit_sha') === sha) ?? found[0];
      return numberAt(merged, 'number');
    },
  };
}

/** The account that the token belongs to. */
interface Author {
  readonly kind: 'user' | 'app';
  readonly login: string;
}

interface Place {
  readonly here: { readonly owner: string; readonly repo: string };
  readonly author: () => Promise<Author>;
}

/**
 * Reads the account of the token. The token of an app, such as a workflow's, may not read its user, but GraphQL tells its login as that of
 * the viewer.
 */
async function readAuthor(client: GithubClient): Promise<Author> {
  const user = await client.retry.read(async () => {
    try {
      return await client.send('GET /user');
    } catch (error) {
      if (error instanceof RequestFailure && error.status === 403 && !/rate limit/i.test(error.message)) {
        return null;
      }
      throw error;
    }
  });
  const login =
    user === null
      ? textAt(await client.retry.read(() => client.query('{ viewer { login } }')), 'data', 'viewer', 'login')
      : textAt(user, 'login');
  if (login === null) {
    throw badAnswer('it does not say which account the token belongs to');
  }
  return { kind: user === null ? 'app' : 'user', login };
}

function isMine({ login }: Author, entry: unknown): boolean {
  return textAt(entry, 'user', 'login') === login;
}

function issueThread(
  client: GithubClient,
  { here, number, author }: Place & { readonly number: number },
): Thread {
  const { retry } = client;
  const one = '/repos/{owner}/{repo}/issues/comments/{comment_id}';
  return {
    list: async () => {
      const found = await retry.read(() =>
        client.pages('GET /repos/{owner}/{repo}/issues/{issue_number}/comments', {
          ...here,
          issue_number: number,
        }),
      );
      const me = await author();
      return found.map((entry): Comment => ({
        id: numberOf(entry, 'id'),
        body: textAt(entry, 'body') ?? '',
        mine: isMine(me, entry),
      }));
    },
    create: (body) =>
      retry.create(() =>
        client.send('POST /repos/{owner}/{repo}/issues/{issue_number}/comments', {
          ...here,
          issue_number: number,
          body,
        }),
      ),
    update: (id, body) => retry.write(() => client.send(`PATCH ${one}`, { ...here, comment_id: id, body })),
    remove: (id) => retry.write(() => client.send(`DELETE ${one}`, { ...here, comment_id: id })),
  };
}

function labelledIssues(
  client: GithubClient,
  { here, label, author, thread }: Place & { readonly label: string; readonly thread: Issues['thread'] },
): Issues {
  const { retry } = client;
  const route = '/repos/{owner}/{repo}/issues';
  const list = async (query: Readonly<Record<string, string>>): Promise<readonly Issue[]> => {
    const found = await retry.read(() =>
      client.pages(`GET ${route}`, { ...here, ...query, direction: 'asc' }),
    );
    const me = await author();
    return found
      .filter((entry) => at(entry, 'pull_request') === undefined)
      .map((entry): Issue => ({
        number: numberOf(entry, 'number'),
        title: textAt(entry, 'title') ?? '',
        body: textAt(entry, 'body') ?? '',
        open: textAt(entry, 'state') === 'open',
        labelled: listAt(entry, 'labels').some(
          (one) => textAt(one, 'name')?.toLowerCase() === label.toLowerCase(),
        ),
        mine: isMine(me, entry),
        webUrl: textAt(entry, 'html_url') ?? '',
      }));
  };
  return {
    thread,
    list: () => list({ labels: label, state: 'all' }),
    listOpen: async () => {
      const me = await author();
      return list({ state: 'open', ...(me.kind === 'user' ? { creator: me.login } : {}) });
    },
    label: (number) =>
      retry.write(() =>
        client.send(`POST ${route}/{issue_number}/labels`, {
          ...here,
          issue_number: number,
          labels: [label],
        }),
      ),
    // GitHub creates a label that does not exist yet.
    create: (text) => retry.create(() => client.send(`POST ${route}`, { ...here, ...text, labels: [label] })),
    update: (number, { open, ...text }) =>
      retry.write(() =>
        client.send(`PATCH ${route}/{issue_number}`, {
          ...here,
          issue_number: number,
          ...text,
          ...(open === undefined ? {} : { state: open ? 'open' : 'closed' }),
        }),
      ),
  };
}
