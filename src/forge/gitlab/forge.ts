import { answerReaders } from '../answer-readers.ts';
import type { ForgeConnection } from '../connection.ts';
import { memoise } from '../../model/memoise.ts';
import type { Comment, Forge, Issue, Issues, Thread } from '../port.ts';
import { at, listAt, numberAt, textAt } from '../shape.ts';
import type { GitlabClient } from './client.ts';
import { openGitlab } from './client.ts';

/** The maximum length of a note and of a description, in characters. */
const LIMIT = 1_000_000;

const { badAnswer, numberOf } = answerReaders('GitLab', 'CI_API_V4_URL');

/** Opens the notes and issues of a project on GitLab; `project` is its number. */
export function gitlabForge(connection: ForgeConnection, project: string): Forge {
  const client = openGitlab(connection);
  const { retry } = client;
  const base = `/projects/${encodeURIComponent(project)}`;
  const author = memoise(async () => numberAt(await retry.read(() => client.send('GET', '/user')), 'id'));
  const thread = (path: string): Thread => notes(client, `${base}${path}/notes`, author);
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
interface Place {
  readonly path: string;
  readonly label: string;
  readonly author: () => Promise<number | null>;
}

function labelledIssues(client: GitlabClient, { path, label, author }: Place): Omit<Issues, 'thread'> {
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

function notes(client: GitlabClient, path: string, author: Place['author']): Thread {
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
