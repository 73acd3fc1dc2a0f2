import { serve } from '@hono/node-server';
import type { Context } from 'hono';
import { Hono } from 'hono';
import { onTestFinished } from 'vitest';

/** A comment as the stand-in keeps it. */
export interface KeptComment {
  readonly id: number;
  readonly issue: number;
  body: string;
  readonly login: string;
}

/** An issue as the stand-in keeps it. */
export interface KeptIssue {
  readonly number: number;
  title: string;
  body: string;
  state: 'open' | 'closed';
  readonly labels: string[];
  readonly login: string;
}

/** A failure to inject into one request. */
export interface Fault {
  readonly method: string;
  readonly path: RegExp;
  /** `before`: the request has no effect; `after`: it takes effect, but the response is a failure. */
  readonly when: 'before' | 'after';
  readonly status: number;
  readonly headers?: Readonly<Record<string, string>>;
  readonly message?: string;
}

/** GitHub as far as this program needs it: shapes, limits, pages and failures of the real interface. */
export interface GithubStandIn {
  readonly apiUrl: string;
  readonly comments: KeptComment[];
  readonly issues: KeptIssue[];
  readonly pulls: Map<number, { head: string; headRepo: string | null }>;
  /** The pull request that brought each commit. */
  readonly merged: Map<string, number>;
  /** Injected in order, each once. */
  readonly faults: Fault[];
  /** Method and path of every request, such as `POST /repos/…`. */
  readonly seen: string[];
  /** Called once, before the next request is answered. */
  interfere: ((request: string) => void) | null;
}

/** The maximum number of characters of a body. */
const LIMIT = 65_536;
export const REPOSITORY = 'team/edge';

/** The user of each token; the token of a workflow may not read its own user. */
const USERS: ReadonlyMap<string, string> = new Map([
  ['token workflow', 'github-actions[bot]'],
  ['token workflow-secret', 'github-actions[bot]'],
  ['token alice', 'alice'],
]);

/** Starts the stand-in on loopback; it ends with the test. */
export async function startGithub(): Promise<GithubStandIn> {
  const state: Omit<GithubStandIn, 'apiUrl'> = {
    comments: [],
    issues: [],
    pulls: new Map(),
    merged: new Map(),
    faults: [],
    seen: [],
    interfere: null,
  };
  const app = routes(state);
  const server = await new Promise<{ port: number; close: () => Promise<void> }>((resolve) => {
    const running = serve({ fetch: app.fetch, port: 0, hostname: '127.0.0.1' }, ({ port }) => {
      resolve({
        port,
        close: () =>
          new Promise((done) => {
            running.close(() => done());
          }),
      });
    });
  });
  onTestFinished(server.close);
  return Object.assign(state, { apiUrl: `http://127.0.0.1:${server.port}` });
}

function routes(state: Omit<GithubStandIn, 'apiUrl'>): Hono {
  const app = new Hono();
  let nextId = 1000;
  app.use(async (context, next) => {
    const request = `${context.req.method} ${context.req.path}`;
    state.seen.push(request);
    const { interfere } = state;
    state.interfere = null;
    interfere?.(request);
    const struck = state.faults.findIndex(
      ({ method, path }) => method === context.req.method && path.test(context.req.path),
    );
    const [fault] = struck === -1 ? [] : state.faults.splice(struck, 1);
    if (!USERS.has(context.req.header('authorization') ?? '')) {
      return refuse(401, 'Bad credentials');
    }
    if (fault?.when !== 'before') {
      await next();
    }
    if (fault !== undefined) {
      context.res = undefined;
      context.res = refuse(fault.status, fault.message ?? 'Server Error', fault.headers);
    }
    return undefined;
  });
  const here = `/repos/${REPOSITORY}`;
  const login = (context: Context): string => USERS.get(context.req.header('authorization') ?? '') ?? '';

  app.get('/user', (context) =>
    login(context).endsWith('[bot]')
      ? refuse(403, 'Resource not accessible by integration')
      : context.json({ login: login(context), type: 'User' }),
  );
  app.post('/graphql', async (context) => {
    const { query }: { query: string } = await context.req.json();
    return query === '{ viewer { login } }'
      ? context.json({ data: { viewer: { login: login(context) } } })
      : context.json({ data: null, errors: [{ message: 'Parse error' }] });
  });
  app.get(`${here}/pulls/:number`, (context) => {
    const pull = state.pulls.get(Number(context.req.param('number')));
    return pull === undefined
      ? refuse(404, 'Not Found')
      : context.json({
          number: Number(context.req.param('number')),
          head: { sha: pull.head, repo: pull.headRepo === null ? null : { full_name: pull.headRepo } },
          base: { repo: { full_name: REPOSITORY } },
        });
  });
  app.get(`${here}/commits/:sha/pulls`, (context) => {
    const number = state.merged.get(context.req.param('sha'));
    return context.json(number === undefined ? [] : [{ number, merge_commit_sha: context.req.param('sha') }]);
  });
  app.get(`${here}/issues/:number/comments`, (context) =>
    page(
      context,
      state.comments.filter(({ issue }) => issue === Number(context.req.param('number'))).map(commentJson),
    ),
  );
  app.post(`${here}/issues/:number/comments`, async (context) => {
    const body = await bodyText(context);
    if (body === null) {
      return tooLong(context);
    }
    const comment = { id: nextId++, issue: Number(context.req.param('number')), body, login: login(context) };
    state.comments.push(comment);
    return context.json(commentJson(comment), 201);
  });
  app.patch(`${here}/issues/comments/:id`, async (context) => {
    const comment = state.comments.find(({ id }) => id === Number(context.req.param('id')));
    const body = await bodyText(context);
    if (comment === undefined) {
      return refuse(404, 'Not Found');
    }
    if (body === null) {
      return tooLong(context);
    }
    comment.body = body;
    return context.json(commentJson(comment));
  });
  app.delete(`${here}/issues/comments/:id`, (context) => {
    const index = state.comments.findIndex(({ id }) => id === Number(context.req.param('id')));
    if (index === -1) {
      return refuse(404, 'Not Found');
    }
    state.comments.splice(index, 1);
    return context.body(null, 204);
  });
  app.get(`${here}/issues`, (context) =>
    page(context, state.issues.filter((issue) => isAsked(issue, context)).map(issueJson)),
  );
  app.post(`${here}/issues/:number/labels`, async (context) => {
    const issue = state.issues.find(({ number }) => number === Number(context.req.param('number')));
    const { labels }: { labels: string[] } = await context.req.json();
    issue?.labels.push(...labels);
    return issue === undefined ? refuse(404, 'Not Found') : context.json(issue.labels);
  });
  app.post(`${here}/issues`, async (context) => {
    const input: { title: string; body: string; labels: string[] } = await context.req.json();
    if (Array.from(input.body).length > LIMIT) {
      return tooLong(context);
    }
    const issue: KeptIssue = { number: nextId++, state: 'open', login: login(context), ...input };
    state.issues.push(issue);
    return context.json(issueJson(issue), 201);
  });
  app.patch(`${here}/issues/:number`, async (context) => {
    const issue = state.issues.find(({ number }) => number === Number(context.req.param('number')));
    if (issue === undefined) {
      return refuse(404, 'Not Found');
    }
    const change: { title?: string; body?: string; state?: 'open' | 'closed' } = await context.req.json();
    issue.title = change.title ?? issue.title;
    issue.body = change.body ?? issue.body;
    issue.state = change.state ?? issue.state;
    return context.json(issueJson(issue));
  });
  return app;
}

/** Whether an issue matches the query. Without a state in the query, GitHub lists only open issues. */
function isAsked({ labels, state, login }: KeptIssue, { req }: Context): boolean {
  const { labels: label, state: asked = 'open', creator } = req.query();
  return (
    (label === undefined || labels.includes(label)) &&
    (asked === 'all' || asked === state) &&
    (creator === undefined || creator === login)
  );
}

function commentJson({ id, issue, body, login }: KeptComment): Record<string, unknown> {
  return {
    id,
    node_id: `IC_${id}`,
    url: `https://api.github.example/repos/${REPOSITORY}/issues/comments/${id}`,
    html_url: `https://github.example/${REPOSITORY}/pull/${issue}#issuecomment-${id}`,
    body,
    user: { login, type: login.endsWith('[bot]') ? 'Bot' : 'User' },
  };
}

function issueJson({ number, title, body, state, labels, login }: KeptIssue): Record<string, unknown> {
  return {
    id: number + 5_000_000,
    number,
    title,
    body,
    state,
    html_url: `https://github.example/${REPOSITORY}/issues/${number}`,
    labels: labels.map((name) => ({ name })),
    user: { login, type: login.endsWith('[bot]') ? 'Bot' : 'User' },
  };
}

/** A page of a list, with the header that leads to the next one. */
function page(context: Context, all: readonly unknown[]): Response {
  const size = Number(context.req.query('per_page') ?? 30);
  const number = Number(context.req.query('page') ?? 1);
  if (number * size < all.length) {
    const next = new URL(context.req.url);
    next.searchParams.set('page', String(number + 1));
    context.header('link', `<${next.href}>; rel="next"`);
  }
  return context.json(all.slice((number - 1) * size, number * size));
}

/** The body of a comment; null if it is longer than GitHub allows, counted in Unicode characters. */
async function bodyText(context: Context): Promise<string | null> {
  const { body }: { body: string } = await context.req.json();
  return Array.from(body).length > LIMIT ? null : body;
}

function tooLong(context: Context): Response {
  context.status(422);
  return context.json({
    message: 'Validation Failed',
    errors: [
      {
        resource: 'IssueComment',
        code: 'unprocessable',
        field: 'data',
        message: `Body is too long (maximum is ${LIMIT} characters)`,
      },
    ],
  });
}

function refuse(status: number, message: string, headers: Readonly<Record<string, string>> = {}): Response {
  return new Response(JSON.stringify({ message, documentation_url: 'https://docs.github.com/rest' }), {
    status,
    headers: { 'content-type': 'application/json; charset=utf-8', ...headers },
  });
}
