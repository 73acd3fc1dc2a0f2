import { Hono } from 'hono';
import type { Context } from 'hono';
import { bodyLimit } from 'hono/body-limit';
import { authenticate } from './call/authenticate.ts';
import type { Credential } from './call/call.ts';
import { controlRoutes } from './control/control.ts';
import { dispatch } from './call/dispatch.ts';
import type { Dispatched } from './call/dispatch.ts';
import { inEffect } from './environment/service-clock.ts';
import type { RequestRecord } from './environment/service-clock.ts';
import { ConnectionCut, deliver } from './disturb/disturb-connection.ts';
import { performWithFaults } from './disturb/perform-with-faults.ts';
import type { FaultRequest } from './faults/fault.ts';
import { envelope, packed } from './protocol/answer.ts';
import type { Envelope } from './protocol/answer.ts';
import { describeItself } from './page/start-page-routes.ts';
import {
  bodyTooLarge,
  budgetExceeded,
  methodNotAvailable,
  noRoute,
  refuse,
  attempt,
  Refusal,
} from './protocol/refusal.ts';
import { BASE_PATH } from './call/route.ts';
import type { Route } from './call/route.ts';
import { routes } from './interface/interface-routes.ts';
import type { EmulatedService } from './call/service.ts';
import { countTraffic } from './traffic/count-traffic.ts';

/** Creates the Hono application that serves the service: `app.request()` answers in-process, `app.fetch` is for a server. */
export function createApp(service: EmulatedService): Hono {
  const app = new Hono();
  const answer = answerer(service);

  app.use(async (c, next) => {
    // What visitors did until now went through the rules as they are before this request.
    if (c.req.method !== 'GET') {
      countTraffic(service);
    }
    await next();
  });
  app.get('/_emulator', describeItself(service));
  app.get('/_emulator/', describeItself(service));
  app.route('/_emulator', controlRoutes(service));
  app.get('/', (c) => c.redirect('/_emulator/'));
  app.use(
    `${BASE_PATH}/*`,
    bodyLimit({
      maxSize: service.maxBodyBytes,
      onError: (c) => {
        const { url, method, headers } = c.req.raw;
        c.req.raw = new Request(url, { method, headers });
        return answer(c, () => refused(bodyTooLarge()));
      },
    }),
  );
  const paths = new Set<string>();
  for (const route of routes) {
    const path = BASE_PATH + honoPath(route.path);
    paths.add(path);
    app.on(route.method, path, (c) =>
      answer(c, (credential, ray) => callRoute(route, c, { service, credential, ray })),
    );
  }
  for (const path of paths) {
    app.all(path, (c) => answer(c, () => refused(methodNotAvailable(c.req.method))));
  }
  app.all('*', (c) => answer(c, () => refused(noRoute(interfacePath(c)))));
  app.onError((error, c) => {
    if (error instanceof ConnectionCut) {
      throw error;
    }
    service.log({ kind: 'failure', message: error.stack ?? error.message });
    return c.json(
      { result: null, success: false, errors: [{ message: 'internal error' }], messages: [] },
      500,
    );
  });
  return app;
}

type Work = (credential: Credential, ray: string) => Dispatched | Promise<Dispatched>;

/** Returns the handler of every request: authenticates, spends the budget, does the work, persists, records, and answers. */
function answerer(service: EmulatedService): (c: Context, work: Work) => Promise<Response> {
  return async (c, work) => {
    const ray = service.newRay();
    const { envelope, wrote, ending, faults } = await performWithFaults(
      service,
      () => faultRequestOf(c),
      async () => withCredential(service, c, (credential) => work(credential, ray)),
    );
    if (wrote) {
      await service.persist();
    }
    const record = {
      method: c.req.method,
      path: pathWithQuery(c.req.url),
      status: envelope.status,
      wrote,
      ...(faults.length === 0 ? {} : { faults }),
    };
    remember(service, record);
    service.log({ kind: 'request', ...record });
    if (ending.kind === 'cut') {
      return deliver(new Response(null), ending, c.env);
    }
    // A cut is counted in bytes of the plain body, so only an intact connection gets compression.
    const accepted = ending.kind === 'kept' ? c.req.header('accept-encoding') : undefined;
    return deliver(respond(service, envelope, { ray, accepted }), ending, c.env);
  };
}

/** Returns what faults look at in a request. The body is read only when a ruleset is created, where it tells the phase. */
async function faultRequestOf(c: Context): Promise<FaultRequest> {
  const path = interfacePath(c);
  const { method } = c.req;
  const readable = method === 'POST' && path.endsWith('/rulesets');
  return {
    method,
    path,
    query: new URL(c.req.url).searchParams,
    authorization: c.req.header('authorization'),
    bodyText: readable ? await c.req.text() : '',
  };
}

/** The number of requests that the record keeps; beyond it, the oldest is dropped. */
const MAX_RECORD_LENGTH = 100_000;

function remember(service: EmulatedService, record: RequestRecord): void {
  service.requests.push(record);
  if (service.requests.length > MAX_RECORD_LENGTH) {
    service.requests.shift();
  }
}

async function withCredential(
  service: EmulatedService,
  c: Context,
  work: (credential: Credential) => Dispatched | Promise<Dispatched>,
): Promise<Dispatched> {
  const admitted = attempt(() => admit(service, c));
  if (admitted instanceof Refusal) {
    return refused(admitted);
  }
  const done = await work(admitted.credential);
  return {
    ...done,
    envelope: { ...done.envelope, headers: { ...admitted.headers, ...done.envelope.headers } },
  };
}

/** Authenticates a request and charges it to the user's budget; also returns the headers that report the budget. */
function admit(
  service: EmulatedService,
  c: Context,
): { readonly credential: Credential; readonly headers: Envelope['headers'] } {
  checkOneLength(service, (name) => c.req.header(name));
  const credential = authenticate(service.store, {
    authorization: c.req.header('authorization'),
    email: c.req.header('x-auth-email'),
    key: c.req.header('x-auth-key'),
  });
  const budget = service.budget?.spend(credential.user.id);
  if (budget?.allowed === false) {
    throw budgetExceeded(service.budgetLimit, budget.headers);
  }
  return { credential, headers: budget?.headers ?? {} };
}

async function callRoute(
  route: Route,
  c: Context,
  {
    service,
    credential,
    ray,
  }: { readonly service: EmulatedService; readonly credential: Credential; readonly ray: string },
): Promise<Dispatched> {
  const bodyText = route.method === 'GET' ? '' : await c.req.text();
  const url = new URL(c.req.url);
  const call = {
    service,
    credential,
    query: url.searchParams,
    params: c.req.param(),
    contentType: c.req.header('content-type'),
    bodyText,
  };
  const userAgent = c.req.header('user-agent') ?? '';
  return dispatch(route, call, { from: 'api', path: interfacePath(c), userAgent, ray });
}

function respond(
  { clock }: Pick<EmulatedService, 'clock'>,
  envelope: Envelope,
  about: { readonly ray: string; readonly accepted: string | undefined },
): Response {
  const { ray, accepted } = about;
  const { body, headers: packing } = packed(envelope.body, accepted);
  const headers = {
    ...(envelope.body === null ? {} : { 'content-type': 'application/json' }),
    date: new Date(clock.now()).toUTCString(),
    'cf-ray': ray,
    'cf-cache-status': 'DYNAMIC',
    server: 'cloudflare',
    vary: 'Accept-Encoding',
    ...packing,
    ...envelope.headers,
  };
  return new Response(body, { status: envelope.status, headers });
}

function refused(refusal: Refusal): Dispatched {
  return { envelope: envelope(refusal), wrote: false };
}

/** Translates a route's path for Hono: `:name` without a pattern matches an identifier (32 hex characters). */
function honoPath(path: string): string {
  return path.replaceAll(/:(\w+)(?!\w|\{)/gu, ':$1{[0-9a-f]{32}}');
}

function pathWithQuery(url: string): string {
  return url.slice(url.indexOf('/', url.indexOf('://') + 3));
}

function interfacePath(c: Context): string {
  const path = c.req.path;
  return path.startsWith(BASE_PATH) ? path.slice(BASE_PATH.length) || '/' : path;
}

/**
 * Refuses a request with both a Transfer-Encoding and a Content-Length header, once that is in effect
 * (specification 7.3, 9; status and text assumed).
 */
function checkOneLength(service: EmulatedService, header: (name: string) => string | undefined): void {
  if (
    header('transfer-encoding') !== undefined &&
    header('content-length') !== undefined &&
    inEffect(service, 'transfer-encoding-with-content-length')
  ) {
    throw refuse(400, 'requests with both Transfer-Encoding and Content-Length headers are declined');
  }
}
