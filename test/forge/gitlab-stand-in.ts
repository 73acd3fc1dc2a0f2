import { serve } from '@hono/node-server';
import type { Context } from 'hono';
import { Hono } from 'hono';
import { onTestFinished } from 'vitest';

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

/** A job that has ended, in a pipeline of its own. */
export interface GitlabJob {
  readonly id: number;
  readonly name: string;
  readonly status: string;
  readonly finished_at: string | null;
  /** The commit and the reference of its pipeline. */
  readonly sha: string;
  readonly ref: string;
  /** The plan that it left; null when it has expired. */
  readonly plan: string | null;
  /** The branch that the merge request was to be merged into then; by default `main`. */
  readonly target?: string;
}

/** When the merge requests were merged. */
export const MERGED_AT = '2026-11-20T10:00:00.000Z';

/** A project of GitLab, number 42, as far as this program and its pipeline need it. */
export interface GitlabStandIn {
  readonly apiUrl: string;
  readonly notes: Note[];
  readonly issues: GitlabIssue[];
  /** Merged merge requests, by the commit that they brought. */
  readonly merged: Map<string, number>;
  /** Jobs in pipelines of merge requests, each with the plan.json that it left. */
  readonly jobs: GitlabJob[];
  /** The headers of the requests to the artifact store, which is another server. */
  readonly stored: Readonly<Record<string, string>>[];
  /** The head commit of every merge request, and the commit that all of them are based on. */
  head: string;
  base: string;
  /** The status of the next response to a write, once; the write takes effect all the same. */
  fail: number | null;
}

const ME = { id: 7 };

/** Starts the stand-in; it ends with the test. Its token is `secret`. */
export async function startGitlab(): Promise<GitlabStandIn> {
  const state: Omit<GitlabStandIn, 'apiUrl'> = {
    notes: [],
    issues: [],
    merged: new Map(),
    jobs: [],
    stored: [],
    head: 'h',
    base: 'b',
    fail: null,
  };
  const store = await startStore(state);
  const app = new Hono();
  let nextId = 1;
  const base = '/projects/42';
  app.use(async (context, next) => {
    const { 'private-token': own, authorization } = context.req.header();
    if (own !== 'secret' && authorization !== 'Bearer secret') {
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
  app.get(`${base}/merge_requests/:iid`, (context) => {
    const iid = Number(context.req.param('iid'));
    const isMerged = [...state.merged.values()].includes(iid);
    return context.json({
      iid,
      sha: state.head,
      state: isMerged ? 'merged' : 'opened',
      merged_at: isMerged ? MERGED_AT : null,
      source_project_id: 42,
      target_project_id: 42,
      target_branch: 'main',
      diff_refs: { base_sha: state.base },
    });
  });
  app.get(`${base}/merge_requests/:iid/pipelines`, (context) =>
    page(
      context,
      state.jobs.map(({ id, sha, ref }) => ({ id: 1000 + id, sha, ref })),
    ),
  );
  app.get(`${base}/pipelines/:id/jobs`, (context) =>
    page(
      context,
      context.req.query('include_retried') === 'true'
        ? state.jobs
            .filter(({ id }) => String(1000 + id) === context.req.param('id'))
            .map(({ id, name, status, finished_at }) => ({ id, name, status, finished_at }))
        : [],
    ),
  );
  app.get(`${base}/repository/commits/:sha/merge_requests`, (context) => {
    const iid = state.merged.get(context.req.param('sha'));
    const request = { state: 'merged', source_project_id: 42, target_project_id: 42 };
    const elsewhere = { ...request, iid: 99, target_branch: 'sandbox' };
    return context.json(
      iid === undefined ? [elsewhere] : [elsewhere, { ...request, iid, target_branch: 'main' }],
    );
  });
  app.get(`${base}/jobs/:id/artifacts/target-branch.txt`, (context) => {
    const job = state.jobs.find(({ id }) => String(id) === context.req.param('id'));
    return context.text(`${job?.target ?? 'main'}\n`);
  });
  app.get(`${base}/jobs/:id/artifacts/plan.json`, (context) => {
    const job = state.jobs.find(({ id }) => String(id) === context.req.param('id'));
    return (job?.plan ?? null) === null
      ? context.json({ message: '404 Not Found' }, 404)
      : context.redirect(`${store}/${job?.id}`);
  });
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
  return Object.assign(state, { apiUrl: await listen(app) });
}

/** Starts the artifact store, another server, to which GitLab redirects. */
function startStore({ jobs, stored }: Pick<GitlabStandIn, 'jobs' | 'stored'>): Promise<string> {
  const app = new Hono();
  app.get('/:id', (context) => {
    stored.push(context.req.header());
    return context.body(jobs.find(({ id }) => String(id) === context.req.param('id'))?.plan ?? '');
  });
  return listen(app);
}

/** Starts a server that ends with the test, and returns its URL. */
async function listen({ fetch }: Hono): Promise<string> {
  const { port, close } = await new Promise<{ port: number; close: () => Promise<void> }>((resolve) => {
    const server = serve({ fetch, port: 0, hostname: '127.0.0.1' }, (info) => {
      resolve({ port: info.port, close: () => new Promise((done) => server.close(() => done())) });
    });
  });
  onTestFinished(close);
  return `http://127.0.0.1:${port}`;
}
