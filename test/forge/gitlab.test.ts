import { serve } from '@hono/node-server';
import type { Context } from 'hono';
import { Hono } from 'hono';
import { expect, it, onTestFinished } from 'vitest';
import { gitlabForge } from '../../src/forge/gitlab/forge.ts';
import { gitlabRun } from '../../src/forge/gitlab/run.ts';
import { markerText } from '../../src/forge/marker.ts';
import type { Marker } from '../../src/forge/marker.ts';
import { settleComments } from '../../src/forge/settle-comments.ts';
import { settleIssue } from '../../src/forge/settle-issue.ts';
import { createFakeClock } from '../fake-clock.ts';

interface Note {
  readonly id: number;
  body: string;
  readonly author: { readonly id: number };
  readonly system: boolean;
}

interface GitlabIssue {
  readonly iid: number;
  title: string;
  description: string;
  state: string;
  readonly author: { readonly id: number };
  readonly web_url: string;
  labels: string[];
}

interface GitlabStandIn {
  readonly apiUrl: string;
  readonly notes: Note[];
  readonly issues: GitlabIssue[];
  /** Status of the next answer, once; the request is done all the same. */
  fail: number | null;
}

const ME = { id: 7 };

/** GitLab as far as this program needs it. */
async function startGitlab(): Promise<GitlabStandIn> {
  const state: Omit<GitlabStandIn, 'apiUrl'> = { notes: [], issues: [], fail: null };
  const app = new Hono();
  let nextId = 1;
  const base = '/projects/42';
  app.use(async (context, next) => {
    if (context.req.header('private-token') !== 'secret') {
      return context.json({ message: '401 Unauthorized' }, 401);
    }
    await next();
    if (state.fail !== null && context.req.method !== 'GET') {
      context.res = undefined;
      context.res = new Response('{"message":"502 Bad Gateway"}', { status: state.fail });
      state.fail = null;
    }
    return undefined;
  });
  const page = (context: Context, all: readonly unknown[]): Response => {
    const size = Number(context.req.query('per_page') ?? 20);
    const number = Number(context.req.query('page') ?? 1);
    context.header('x-next-page', number * size < all.length ? String(number + 1) : '');
    return context.json(all.slice((number - 1) * size, number * size));
  };
  app.get('/user', (context) => context.json(ME));
  app.get(`${base}/merge_requests/:iid`, (context) =>
    context.json({ sha: 'h', source_project_id: 42, target_project_id: 42 }),
  );
  app.get(`${base}/merge_requests/:iid/notes`, (context) => page(context, state.notes));
  app.post(`${base}/merge_requests/:iid/notes`, async (context) => {
    const { body }: { body: string } = await context.req.json();
    const note: Note = { id: nextId++, body, author: ME, system: false };
    state.notes.push(note);
    return context.json(note, 201);
  });
  app.put(`${base}/merge_requests/:iid/notes/:id`, async (context) => {
    const { body }: { body: string } = await context.req.json();
    const note = state.notes.find(({ id }) => id === Number(context.req.param('id')));
    if (note !== undefined) {
      note.body = body;
    }
    return note === undefined ? context.json({ message: '404 Not found' }, 404) : context.json(note);
  });
  app.delete(`${base}/merge_requests/:iid/notes/:id`, (context) => {
    state.notes.splice(
      state.notes.findIndex(({ id }) => id === Number(context.req.param('id'))),
      1,
    );
    return context.body(null, 204);
  });
  app.get(`${base}/issues`, (context) => {
    const { labels: label, state: asked, author_id: author } = context.req.query();
    return page(
      context,
      state.issues.filter(
        (issue) =>
          (label === undefined || issue.labels.includes(label)) &&
          (asked === undefined || issue.state === asked) &&
          (author === undefined || author === String(issue.author.id)),
      ),
    );
  });
  app.get(`${base}/issues/:iid/notes`, (context) => page(context, []));
  app.post(`${base}/issues/:iid/notes`, (context) => context.json({}, 201));
  app.post(`${base}/issues`, async (context) => {
    const { labels, ...input }: { title: string; description: string; labels: string } =
      await context.req.json();
    const issue: GitlabIssue = {
      iid: nextId++,
      state: 'opened',
      author: ME,
      web_url: 'https://gitlab.example/1',
      labels: [labels],
      ...input,
    };
    state.issues.push(issue);
    return context.json(issue, 201);
  });
  app.put(`${base}/issues/:iid`, async (context) => {
    const {
      state_event: event,
      add_labels: label,
      ...text
    }: {
      state_event?: string;
      add_labels?: string;
      title?: string;
      description?: string;
    } = await context.req.json();
    const issue = state.issues.find(({ iid }) => iid === Number(context.req.param('iid')));
    Object.assign(
      issue ?? {},
      text,
      event === undefined ? {} : { state: event === 'close' ? 'closed' : 'opened' },
    );
    issue?.labels.push(...(label === undefined ? [] : [label]));
    return context.json(issue ?? {});
  });
  const { port, close } = await new Promise<{ port: number; close: () => Promise<void> }>((resolve) => {
    const server = serve({ fetch: app.fetch, port: 0, hostname: '127.0.0.1' }, (info) => {
      resolve({ port: info.port, close: () => new Promise((done) => server.close(() => done())) });
    });
  });
  onTestFinished(close);
  return Object.assign(state, { apiUrl: `http://127.0.0.1:${port}` });
}

const forgeOf = ({ apiUrl }: GitlabStandIn): ReturnType<typeof gitlabForge> =>
  gitlabForge(
    { apiUrl, token: 'secret', tokenName: 'GITLAB_TOKEN', clock: createFakeClock(), onWait: () => undefined },
    '42',
  );

const MARKER: Marker = { subject: 'plan', name: '', sha: 'h', run: 1, at: 1, state: 'x' };

it('keeps one note on a merge request, behind more than a page of others and a lost answer', async () => {
  const gitlab = await startGitlab();
  for (let id = 1; id <= 130; id += 1) {
    gitlab.notes.push({ id: -id, body: 'hello', author: { id: 1 }, system: id % 2 === 0 });
  }
  gitlab.fail = 502;
  for (const at of [1, 2]) {
    const marker = { ...MARKER, at };
    const bodies = [`${markerText(marker)}\nlook ${at}`];
    await settleComments(
      forgeOf(gitlab).thread(3),
      () => Promise.resolve({ marker, headSha: 'h', bodies }),
      createFakeClock(),
    );
  }
  expect(gitlab.notes).toHaveLength(131);
  expect(gitlab.notes.at(-1)?.body).toContain('look 2');
});

it('opens and closes one issue', async () => {
  const gitlab = await startGitlab();
  const settle = async (finding: 'drifted' | 'clean', at: number): Promise<string> => {
    const marker: Marker = { ...MARKER, subject: 'drift', at, state: finding === 'drifted' ? 'd' : '' };
    const text = markerText(marker);
    const wanted = { marker, finding, title: 'Drift', bodies: [`${text}\nbody`], news: 'news' };
    return (await settleIssue(forgeOf(gitlab).issues('drift'), wanted, createFakeClock())).change;
  };
  gitlab.fail = 502;
  expect(await settle('drifted', 1)).toBe('opened');
  // Somebody takes the label away.
  gitlab.issues[0]?.labels.pop();
  expect([await settle('drifted', 2), await settle('clean', 3)]).toEqual(['none', 'closed']);
  expect(gitlab.issues).toMatchObject([{ title: 'Drift', state: 'closed', labels: ['drift'] }]);
});

it('reads the run from the variables of a pipeline', () => {
  const variables = {
    CI_API_V4_URL: 'https://gitlab.example/api/v4',
    CI_PROJECT_ID: '42',
    CI_PROJECT_URL: 'https://gitlab.example/team/edge',
    CI_MERGE_REQUEST_IID: '3',
    CI_COMMIT_SHA: 'merged',
    CI_MERGE_REQUEST_SOURCE_BRANCH_SHA: 'head',
    CI_PIPELINE_ID: '99',
  };
  expect(gitlabRun(variables)).toMatchObject({
    sha: 'head',
    run: 99,
    foreign: false,
    pullRequest: { number: 3 },
  });
  expect(gitlabRun({ ...variables, CI_MERGE_REQUEST_SOURCE_PROJECT_ID: '66' }).foreign).toBe(true);
  expect(() => gitlabRun({})).toThrow('CI_API_V4_URL');
});
