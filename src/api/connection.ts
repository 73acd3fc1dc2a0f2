import { setMaxListeners } from 'node:events';
import pLimit from 'p-limit';
import type { Clock, Proxy } from '../network/index.ts';
import { systemClock } from '../network/index.ts';
import type { SensitiveValue } from '../model/index.ts';
import { retiredRoute } from '../model/index.ts';
import type { ServiceResponse } from './response.ts';
import { ANALYTICS_PATH, parseBaseUrl } from './paths.ts';
import type { RequestBudget } from './budget.ts';
import { createBudget } from './budget.ts';
import type { Credentials } from './credentials.ts';
import { credentialHeaders, maskCredentials } from './credentials.ts';
import type { WireRequest, Dispatch, ServiceRequest } from './request.ts';
import { readEnvelope } from './envelope.ts';
import { repeatability, requestTarget } from './request.ts';
import { withRetry } from './retry.ts';
import { withSensitive } from './sensitive-border.ts';
import type { TraceEvent } from './trace-events.ts';
import { withTrace, traced } from './trace-events.ts';
import { createTransport } from './transport.ts';
import type { WritePermit } from './write-permit.ts';
import { withPermit } from './write-permit.ts';
import { pauseAfter } from './retry-after.ts';

/** Reports the first call of each route that the service is retiring, and makes every call. */
function withDeprecations(dispatch: Dispatch, report: (event: TraceEvent) => void): Dispatch {
  const reported = new Set<string>();
  return (request) => {
    const [path = ''] = request.target.split('?', 1);
    const found = retiredRoute(request.method, path);
    if (found !== undefined && !reported.has(`${request.method} ${found.route.path}`)) {
      reported.add(`${request.method} ${found.route.path}`);
      const { row, route } = found;
      report({ kind: 'deprecated', ...traced(request), deprecation: row.id, route: route.path });
    }
    return dispatch(request);
  };
}

/**
 * Delays each attempt as the request budget requires, and pauses all requests after a 429. The pause is set here because in the retry it
 * would come too late: the next request has the free slot by then.
 */
export function withRateLimit(
  dispatch: Dispatch,
  options: {
    readonly budget: RequestBudget;
    readonly clock: Clock;
    /** The longest pause. For a longer wait none is set: requests then fail with the service's response. */
    readonly maxWaitMs: number;
    readonly report: (event: TraceEvent) => void;
    readonly signal?: AbortSignal | undefined;
  },
): Dispatch {
  const { budget, clock, maxWaitMs, report, signal } = options;
  return async (request) => {
    await budget.take({
      onWait: (reason, ms) => {
        report({ kind: 'waiting', ...traced(request), reason, ms });
      },
      signal: request.insist ? undefined : signal,
    });
    const result = await dispatch(request);
    if (result.kind === 'answered') {
      if (result.status === 429) {
        budget.refused();
      }
      const pause = pauseAfter(result, request.attempt, clock.now());
      if (pause !== null && pause <= maxWaitMs) {
        budget.pauseUntil(clock.now() + pause);
      }
    }
    return result;
  };
}

/** How to reach the service. */
export interface ConnectionOptions {
  /** Such as `https://api.cloudflare.com/client/v4`; a trailing slash is ignored. */
  readonly baseUrl: string;
  readonly credentials: Credentials;
  /** Shared by all clients that use the same credentials. */
  readonly budget: RequestBudget;
  readonly clock?: Clock | undefined;
  /** Timeout of one attempt, from connecting to the last byte; 60,000 ms unless given. */
  readonly timeoutMs?: number | undefined;
  /** Requests in flight at the same time; 8 unless given. */
  readonly concurrency?: number | undefined;
  readonly userAgent?: string | undefined;
  /** Aborts all running and waiting requests. */
  readonly signal?: AbortSignal | undefined;
  /** Aborts requests that wait for their turn. Requests on the wire go on, because a write that has started is to be finished. */
  readonly interrupt?: AbortSignal | undefined;
  readonly onEvent?: ((event: TraceEvent) => void) | undefined;
  /** Values that appear only in requests on the wire; on this side of the connection references stand for them. */
  readonly sensitive?: readonly SensitiveValue[] | undefined;
  /** Masks the credentials of other clients; this client's own are always masked. */
  readonly redactText?: ((text: string) => string) | undefined;
  /** The proxy that connections go through; direct unless given. */
  readonly proxy?: Proxy | undefined;
  /** A source of numbers from 0 to 1, for the jitter of retries; `Math.random` unless given. */
  readonly random?: (() => number) | undefined;
  /** The longest wait that is granted when the service asks for one; 330,000 ms unless given. */
  readonly maxWaitMs?: number | undefined;
  /** Without it, all writes are sent. */
  readonly mayWrite?: WritePermit | undefined;
}

/** The connection to the service that every kind of client is built on. */
export interface Connection {
  readonly baseUrl: string;
  readonly request: (request: ServiceRequest) => Promise<ServiceResponse>;
  readonly close: () => Promise<void>;
}

/**
 * Assembles the middleware: retry (each attempt) → concurrency limit → budget (and that of the analytics) → permit to write → retired routes → trace → sensitive values →
 * transport, which adds the credentials. Nothing is connected before the first request. Throws `api/bad-base-url` and `api/bad-credentials`.
 */
export function createConnection(options: ConnectionOptions): Connection {
  const { budget, credentials, clock = systemClock, concurrency = 8, maxWaitMs = 330_000 } = options;
  const { signal, interrupt = signal, random = Math.random } = options;
  const base = parseBaseUrl(options.baseUrl);
  const mask = maskFor(options);
  const report = maskedReport(options.onEvent, mask);
  for (const listened of [signal, interrupt]) {
    if (listened !== undefined) {
      // Every request listens to the signal while it runs, so many listeners are no leak.
      setMaxListeners(0, listened);
    }
  }

  const transport = createTransport({
    base,
    timeoutMs: options.timeoutMs ?? 60_000,
    concurrency,
    headers: {
      accept: 'application/json',
      'user-agent': options.userAgent ?? 'rulewright',
      ...credentialHeaders(credentials),
    },
    signal,
    proxy: options.proxy,
  });
  const waiting = { clock, report, maxWaitMs, signal: interrupt };
  const guarded = withSensitive(transport.dispatch, options.sensitive ?? []);
  const traced = withTrace(guarded, { clock, report });
  const told = withDeprecations(traced, report);
  const permitted = options.mayWrite === undefined ? told : withPermit(told, options.mayWrite);
  const paced = withRateLimit(permitted, { ...waiting, budget });
  const asked = withRateLimit(paced, { ...waiting, budget: analyticsBudget(budget, clock) });
  const limit = pLimit(concurrency);
  const send = withRetry(
    (request) => limit(() => (request.target === ANALYTICS_PATH ? asked : paced)(request)),
    { ...waiting, random },
  );

  let requests = 0;
  return {
    baseUrl: base.href.replace(/\/$/, ''),
    request: async (request) => {
      requests += 1;
      const attempted = await send(wireRequest(request, requests));
      return readEnvelope(request, { ...attempted, host: base.host, mask });
    },
    close: transport.close,
  };
}

/** How many queries the analytics take in five minutes (vendor's docs, "GraphQL Analytics API": limits). */
const MOST_QUERIES = 300;

/** The analytics have a limit of their own, beside that of all requests; none where there is none at all. */
function analyticsBudget({ limit }: RequestBudget, clock: Clock): RequestBudget {
  return createBudget({ clock, limit: limit === Infinity ? Infinity : MOST_QUERIES });
}

function wireRequest(request: ServiceRequest, id: number): WireRequest {
  return {
    id,
    attempt: 1,
    method: request.method,
    target: requestTarget(request),
    repeat: repeatability(request),
    insist: request.insist === true,
    ...(request.body === undefined ? {} : { body: JSON.stringify(request.body) }),
  };
}

/** Returns a function that masks this client's credentials, and those of other clients if the caller passed `redactText`. */
function maskFor({ credentials, redactText }: ConnectionOptions): (text: string) => string {
  const maskOwn = maskCredentials(credentials);
  return redactText === undefined ? maskOwn : (text) => redactText(maskOwn(text));
}

function maskedReport(
  onEvent: ConnectionOptions['onEvent'],
  mask: (text: string) => string,
): (event: TraceEvent) => void {
  return onEvent === undefined
    ? () => undefined
    : (event) => {
        const path = mask(event.path);
        onEvent(
          event.kind === 'answered' && event.rayId !== null
            ? { ...event, path, rayId: mask(event.rayId) }
            : { ...event, path },
        );
      };
}
