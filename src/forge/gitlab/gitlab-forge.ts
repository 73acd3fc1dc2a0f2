import { request } from 'undici';
import {
  answerReaders,
  at,
  listAt,
  numberAt,
  textAt,
  createRetryPolicy,
  RequestFailure,
  through,
} from '../requests.ts';
import type { ForgeConnection, RetryPolicy } from '../requests.ts';
import { memoise } from '../../data/index.ts';
import type { Comment, Forge, Issue, Issues, CommentThread } from '../port.ts';
import { headerMap } from '../../network/index.ts';
import { errorMessage } from '../../model/index.ts';

/** A client of GitLab's API. */
interface GitlabClient {
  readonly retry: RetryPolicy;
  /** Sends one request, with a path relative to the base URL. Throws `RequestFailure`. */
  send(method: 'GET' | 'POST' | 'PUT' | 'DELETE', path: string, body?: object): Promise<unknown>;
  /** Reads all pages of a list. */
  pages(path: string): Promise<readonly unknown[]>;
}

const TIMEOUT_MS = 30_000;
/** A list with more pages is cut off after these. */
const MAX_PAGES = 1000;

/** Opens a client of GitLab. Nothing is sent yet. */
export function openGitlab(connection: ForgeConnection): GitlabClient {
  const exchange = exchangeOver(connection);
  return {
    retry: createRetryPolicy(connection),
    send: async (method, path, body) => (await exchange(method, path, body)).value,
    pages: async (path) => {
      const all: unknown[] = [];
      let page = '1';
      for (let count = 0; page !== '' && count < MAX_PAGES; count += 1) {
        const { value, next } = await exchange(
          'GET',
          `${path}${path.includes('?') ? '&' : '?'}per_page=100&page=${page}`,
        );
        if (!Array.isArray(value)) {
          throw new RequestFailure('the answer is no list', { status: 502 });
        }
        all.push(...value);
        page = next;
      }
      return all;
    },
  };
}

/** An answer with the number of the next page; "" when there is none. */
interface GitLabPage {
  readonly value: unknown;
  readonly next: string;
}

/**
 * Returns a function that sends one request. The function throws `RequestFailure` when no answer comes, and for an answer that is not a
 * success.
 */
function exchangeOver({
  apiUrl,
  token,
  proxy,
  signal,
}: ForgeConnection): (method: string, path: string, body?: object) => Promise<GitLabPage> {
  const way = through(proxy);
  const stop = signal === undefined ? [] : [signal];
  return async (method, path, body) => {
    const { status, headers, text } = await wholeAnswer(() =>
      request(`${apiUrl}${path}`, {
        ...way,
        method,
        headers: {
          'private-token': token,
          accept: 'application/json',
          'user-agent': 'rulewright',
          ...(body === undefined ? {} : { 'content-type': 'application/json' }),
        },
        body: body === undefined ? null : JSON.stringify(body),
        signal: AbortSignal.any([AbortSignal.timeout(TIMEOUT_MS), ...stop]),
      }),
    );
    if (status >= 300) {
      throw new RequestFailure(`${status} ${text.slice(0, 300)}`, { status, headers });
    }
    return { value: text === '' ? null : parsed(text, status), next: headers.get('x-next-page') ?? '' };
  };
}

async function wholeAnswer(send: () => ReturnType<typeof request>): Promise<{
  readonly status: number;
  readonly headers: ReadonlyMap<string, string>;
  readonly text: string;
}> {
  try {
    const { statusCode, headers, body } = await send();
    return { status: statusCode, headers: headerMap(headers), text: await body.text() };
  } catch (error) {
    throw new RequestFailure(errorMessage(error), {
      status: null,
      cause: error,
    });
  }
}

function parsed(text: string, status: number): unknown {
  try {
    return JSON.parse(text);
  } catch {
    throw new RequestFailure(`${status}, but the answer is not JSON`, { status: 502 });
  }
}

/** The maximum length of a note and of a description, in characters. */
const LIMIT = 1_000_000;

const { badAnswer, numberOf } = answerReaders('GitLab', 'CI_API_V4_URL');

/** Opens the notes and issues of a project on GitLab; `project` is its number. */
export function gitlabForge(connection: ForgeConnection, project: string): Forge {
  const client = openGitlab(connection);
  const { retry } = client;
  const base = `/projects/${encodeURIComponent(project)}`;
  const author = memoise(async () => numberAt(await retry.read(() => client.send('GET', '/user')), 'id'));
  const thread = (path: string): CommentThread => notes(client, `${base}${path}/notes`, author);
  return {
    limit: LIMIT,
    thread: (number) => thread(`/merge_requests/${number}`),
    pullRequest: async (number) => {
      const found = await retry.read(() => client.send('GET', `${base}/merge_requests/${number}`));
      const headSha = textAt(found, 'sha');
      if (headSha === null) {
        throw badAnswer(`merge request ${number}`);
      }
      return {
        headSha,
        fork: numberAt(found, 'source_project_id') !== numberAt(found, 'target_project_id'),
      };
    },
    pullRequestOf: async (sha) => {
      const found = await retry.read(() =>
        client.pages(`${base}/repository/commits/${encodeURIComponent(sha)}/merge_requests`),
      );
      return numberAt(found.find((one) => textAt(one, 'state') === 'merged') ?? found[0], 'iid');
    },
    issues: (label) => ({
      thread: (number) => thread(`/issues/${number}`),
      ...labelledIssues(client, { path: `${base}/issues`, label, author }),
    }),
  };
}

/** The path and label of issues, and the account that the token belongs to. */
interface GitlabProject {
  readonly path: string;
  readonly label: string;
  readonly author: () => Promise<number | null>;
}

function labelledIssues(
  client: GitlabClient,
  { path, label, author }: GitlabProject,
): Omit<Issues, 'thread'> {
  const { retry } = client;
  const list = async (query: Readonly<Record<string, string>>): Promise<readonly Issue[]> => {
    const me = await author();
    const asked = new URLSearchParams({ ...query, scope: 'all', order_by: 'created_at', sort: 'asc' });
    const found = await retry.read(() => client.pages(`${path}?${asked.toString()}`));
    return found.map((entry): Issue => ({
      number: numberOf(entry, 'iid'),
      title: textAt(entry, 'title') ?? '',
      body: textAt(entry, 'description') ?? '',
      open: textAt(entry, 'state') === 'opened',
      labelled: listAt(entry, 'labels').includes(label),
      mine: isMine(me, entry),
      webUrl: textAt(entry, 'web_url') ?? '',
    }));
  };
  return {
    list: () => list({ labels: label }),
    listOpen: async () => {
      const me = await author();
      return list({ state: 'opened', ...(me === null ? {} : { author_id: String(me) }) });
    },
    label: (number) => retry.write(() => client.send('PUT', `${path}/${number}`, { add_labels: label })),
    create: ({ title, body }) =>
      retry.create(() => client.send('POST', path, { title, description: body, labels: label })),
    update: (number, { title, body, open }) =>
      retry.write(() =>
        client.send('PUT', `${path}/${number}`, {
          title,
          description: body,
          state_event: open === undefined ? undefined : open ? 'reopen' : 'close',
        }),
      ),
  };
}

function isMine(me: number | null, entry: unknown): boolean {
  return me !== null && numberAt(entry, 'author', 'id') === me;
}

function notes(client: GitlabClient, path: string, author: GitlabProject['author']): CommentThread {
  const { retry } = client;
  return {
    list: async () => {
      const found = await retry.read(() => client.pages(`${path}?sort=asc&order_by=created_at`));
      const me = await author();
      return found
        .filter((entry) => at(entry, 'system') !== true)
        .map((entry): Comment => ({
          id: numberOf(entry, 'id'),
          body: textAt(entry, 'body') ?? '',
          mine: isMine(me, entry),
        }));
    },
    create: (body) => retry.create(() => client.send('POST', path, { body })),
    update: (id, body) => retry.write(() => client.send('PUT', `${path}/${id}`, { body })),
    remove: (id) => retry.write(() => client.send('DELETE', `${path}/${id}`)),
  };
}
