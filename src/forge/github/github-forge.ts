import { Octokit } from '@octokit/rest';
import type { RequestInit } from 'undici';
import { fetch } from 'undici';
import {
  answerReaders,
  RequestFailure,
  at,
  listAt,
  numberAt,
  textAt,
  createRetryPolicy,
  through,
} from '../requests.ts';
import type { Comment, Forge, Issue, Issues, CommentThread } from '../port.ts';
import type { ForgeConnection, RetryPolicy } from '../requests.ts';
import { memoise } from '../../data/index.ts';

/** A client of GitHub's API: requests by route, answers as they come. */
interface GithubClient {
  readonly retry: RetryPolicy;
  /** Sends one request. Throws `RequestFailure`. */
  send(route: string, parameters?: Readonly<Record<string, unknown>>): Promise<unknown>;
  /** Sends one query to the GraphQL API. Throws as `send` does. */
  query(text: string): Promise<unknown>;
  /** Reads all pages of a list. Throws as `send` does. */
  pages(route: string, parameters?: Readonly<Record<string, unknown>>): Promise<readonly unknown[]>;
}

const TIMEOUT_MS = 30_000;
const SILENT = { debug: ignore, info: ignore, warn: ignore, error: ignore };

/** Opens a client of GitHub or GitHub Enterprise Server. Nothing is sent yet. */
export function openGithub(connection: ForgeConnection): GithubClient {
  const { apiUrl, token, signal } = connection;
  const way = through(connection.proxy);
  const octokit = new Octokit({
    auth: token,
    baseUrl: apiUrl,
    userAgent: 'rulewright',
    log: SILENT,
    request: {
      fetch: (url: string, init: RequestInit) =>
        fetch(url, {
          ...init,
          ...way,
          signal: AbortSignal.any([
            AbortSignal.timeout(TIMEOUT_MS),
            ...(signal === undefined ? [] : [signal]),
          ]),
        }),
    },
  });
  const send: GithubClient['send'] = async (route, parameters = {}) => {
    try {
      return (await octokit.request(route, { ...parameters })).data;
    } catch (error) {
      throw failureOf(error);
    }
  };
  return {
    retry: createRetryPolicy(connection),
    send,
    // On GitHub Enterprise Server the GraphQL API is next to version 3 of the REST API, not below it.
    query: (text) => send(`POST ${apiUrl.replace(/\/v3$/, '')}/graphql`, { query: text }),
    pages: async (route, parameters = {}) => {
      try {
        return await octokit.paginate(route, { per_page: 100, ...parameters });
      } catch (error) {
        throw failureOf(error);
      }
    },
  };
}

/** Converts an error of the library. The library sets status 500 when there was no answer; here the status is null then. */
function failureOf(error: unknown): RequestFailure {
  const message = error instanceof Error ? error.message.slice(0, 500) : String(error);
  if (at(error, 'response') === undefined) {
    return new RequestFailure(message, { status: null, cause: error });
  }
  const headers = at(error, 'response', 'headers');
  const names = typeof headers === 'object' && headers !== null ? Object.keys(headers) : [];
  const status = at(error, 'status');
  return new RequestFailure(message, {
    status: typeof status === 'number' ? status : null,
    headers: new Map(
      names.flatMap((name): [string, string][] => {
        const value = at(headers, name);
        const known = typeof value === 'string' || typeof value === 'number';
        return known ? [[name.toLowerCase(), `${value}`]] : [];
      }),
    ),
    cause: error,
  });
}

function ignore(): void {
  // The command line prints its own messages.
}

/** The maximum length of a comment and of the body of an issue; GitHub counts Unicode characters. */
const LIMIT = 65_536;

const { badAnswer, numberOf } = answerReaders('GitHub', 'GITHUB_API_URL');

/** Opens the comments and issues of a repository on GitHub. */
export function githubForge(connection: ForgeConnection, repository: string): Forge {
  const client = openGithub(connection);
  const [owner = '', repo = ''] = repository.split('/');
  const here = { owner, repo };
  const author = memoise(() => readAuthor(client));
  const thread = (number: number): CommentThread => issueThread(client, { here, number, author });
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

interface GithubRepository {
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
  { here, number, author }: GithubRepository & { readonly number: number },
): CommentThread {
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
  {
    here,
    label,
    author,
    thread,
  }: GithubRepository & { readonly label: string; readonly thread: Issues['thread'] },
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
