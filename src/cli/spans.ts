import type * as api from '@opentelemetry/api';
import type { Attributes, Context, Span, Tracer } from '@opentelemetry/api';
import type { AppEvent, OnEvent, RunTime } from '../app/index.ts';
import { scopeLabel } from '../model/index.ts';
import type { ExitCode } from './exit-code.ts';
import { EXIT } from './exit-code.ts';

/** The spans of a command. */
export interface Spans {
  readonly observe: OnEvent;
  end(exitCode: ExitCode): void;
}

type Api = typeof api;

/** Key under which the OpenTelemetry API keeps registered providers (for its major version 1). */
const REGISTERED = Symbol.for('opentelemetry.js.api.1');

/**
 * Begins the span of a command; null unless a tracer was registered in this process, as with `node --import`, and the API package is installed. The
 * package is loaded only in that case.
 */
export async function startSpans(
  command: string,
  clock: Pick<RunTime['clock'], 'now'>,
): Promise<Spans | null> {
  if (!(REGISTERED in globalThis)) {
    return null;
  }
  try {
    return harmless(spansOf(await import('@opentelemetry/api'), command, clock));
  } catch {
    // The package is optional.
    return null;
  }
}

/** Stops recording at the tracer's first error: a tracer is not our code, and must not make a run fail, least of all between two writes. */
function harmless(spans: Spans): Spans {
  let works = true;
  const attempt = (work: () => void): void => {
    try {
      if (works) {
        work();
      }
    } catch {
      works = false;
    }
  };
  return {
    observe: (event) => attempt(() => spans.observe(event)),
    end: (exitCode) => attempt(() => spans.end(exitCode)),
  };
}

interface RequestSpan {
  readonly method: string;
  readonly path: string;
  readonly start: number;
  readonly end: number;
  readonly attributes: Attributes;
  readonly failed: boolean;
}

/** Returns spans for a command, its scopes and steps, and the requests of each. Scope names are attributes; bodies and headers never are. */
function spansOf(api: Api, command: string, clock: Pick<RunTime['clock'], 'now'>): Spans {
  const tracer = api.trace.getTracer('rulewright');
  const root = tracer.startSpan(`rulewright ${command}`, { startTime: clock.now() }, api.context.active());
  const inRoot = api.trace.setSpan(api.context.active(), root);
  const begun = new Map<string, { readonly start: number; readonly scope: string }>();
  const waiting = waitingRequests();
  const group = (name: string, { start, attributes, requests, failed }: SpanGroup): void => {
    const first = Math.min(start, ...requests.map((request) => request.start));
    const span = tracer.startSpan(name, { startTime: first, attributes }, inRoot);
    const inside = api.trace.setSpan(inRoot, span);
    requests.forEach((request) => requestSpan({ api, tracer }, request, inside));
    close(api, span, { failed, end: clock.now() });
  };
  return {
    observe(event) {
      if (event.kind === 'client') {
        const record = recordOf(event, clock.now());
        if (record !== null) {
          waiting.add(record);
        }
      } else if (event.kind === 'estimate') {
        // Work of another kind begins: the waiting requests belong to no scope, so they belong to the command.
        waiting.takeAll().forEach((request) => requestSpan({ api, tracer }, request, inRoot));
      } else if (event.kind === 'preflight') {
        group('preflight', {
          start: clock.now(),
          attributes: {},
          requests: waiting.takeAll(),
          failed: false,
        });
      } else if (event.kind === 'scope-planned') {
        const { plan } = event;
        group('plan scope', {
          start: clock.now(),
          attributes: { 'rulewright.scope': scopeLabel(plan.scope) },
          requests: waiting.take(plan.kind === 'planned' ? plan.scope.id : undefined),
          failed: plan.kind === 'failed',
        });
      } else if (event.kind === 'step-started') {
        begun.set(event.step, { start: clock.now(), scope: event.scope.id });
      } else if (event.kind === 'step-ended') {
        const { step, kind } = event.outcome;
        const { start, scope } = begun.get(step) ?? { start: clock.now(), scope: undefined };
        group('apply step', {
          start,
          attributes: { 'rulewright.step': step, 'rulewright.outcome': kind },
          requests: waiting.take(scope),
          failed: kind !== 'done' && kind !== 'skipped',
        });
      }
    },
    end(exitCode) {
      waiting.takeAll().forEach((request) => requestSpan({ api, tracer }, request, inRoot));
      root.setAttribute('rulewright.exit_code', exitCode);
      const failed = exitCode !== EXIT.done && exitCode !== EXIT.differences;
      close(api, root, { failed, end: clock.now() });
    },
  };
}

/** Returns a store of the requests that have ended and belong to no span yet. */
function waitingRequests() {
  let waiting: RequestSpan[] = [];
  return {
    add(record: RequestSpan): void {
      waiting.push(record);
    },
    /** Takes the requests of a scope, recognised by its id in their paths. */
    take(id: string | undefined): readonly RequestSpan[] {
      const own = id === undefined ? [] : waiting.filter(({ path }) => path.split('/').includes(id));
      waiting = waiting.filter((record) => !own.includes(record));
      return own;
    },
    takeAll: (): readonly RequestSpan[] => waiting.splice(0),
  };
}

interface SpanGroup {
  readonly start: number;
  readonly attributes: Attributes;
  readonly requests: readonly RequestSpan[];
  readonly failed: boolean;
}

/** Returns the record of a request that finished now, successful or not; null for other events. */
function recordOf(
  { event }: Extract<AppEvent, { readonly kind: 'client' }>,
  now: number,
): RequestSpan | null {
  if (event.kind !== 'answered' && event.kind !== 'broken') {
    return null;
  }
  const { method, path, ms, attempt } = event;
  const [bare = ''] = path.split('?');
  return {
    method,
    path: bare,
    start: now - ms,
    end: now,
    attributes: {
      'http.request.method': method,
      'url.path': bare,
      ...(event.kind === 'answered'
        ? { 'http.response.status_code': event.status }
        : { 'error.type': event.reason }),
      ...(attempt > 1 ? { 'http.request.resend_count': attempt - 1 } : {}),
    },
    failed: event.kind === 'broken' || event.status >= 400,
  };
}

function requestSpan(
  { api, tracer }: { readonly api: Api; readonly tracer: Tracer },
  { method, start, end, attributes, failed }: RequestSpan,
  parent: Context,
): void {
  const kind = api.SpanKind.CLIENT;
  const span = tracer.startSpan(method, { kind, startTime: start, attributes }, parent);
  close(api, span, { failed, end });
}

function close(
  api: Api,
  span: Span,
  { failed, end }: { readonly failed: boolean; readonly end: number },
): void {
  if (failed) {
    span.setStatus({ code: api.SpanStatusCode.ERROR });
  }
  span.end(end);
}
