import { createApp } from '../../src/emulator/app.ts';
import { countedIds, createService, fakeClock, scopeId, SEED_TOKEN } from '../../src/emulator/index.ts';
import type { EmulatorOptions, SettableClock } from '../../src/emulator/index.ts';
import type { EmulatedService } from '../../src/emulator/call/service.ts';

/** An error of an envelope, as clients see it. */
interface ReplyError {
  readonly code?: number;
  readonly message: string;
  readonly source?: { readonly pointer: string };
}

/** An answer with its body parsed. */
export interface Reply<T> {
  readonly status: number;
  readonly headers: Headers;
  readonly text: string;
  readonly body: {
    readonly result: T;
    readonly success: boolean;
    readonly errors: readonly ReplyError[];
    readonly messages: readonly unknown[];
    readonly result_info?: Readonly<Record<string, unknown>>;
  };
}

interface RuleView {
  readonly id: string;
  readonly version: string;
  readonly action: string;
  readonly ref: string;
  readonly enabled: boolean;
  readonly last_updated: string;
  readonly expression?: string;
  readonly description?: string;
  readonly action_parameters?: Readonly<Record<string, unknown>>;
  readonly logging?: unknown;
  readonly ratelimit?: Readonly<Record<string, unknown>>;
  readonly categories?: readonly string[];
  readonly score_threshold?: number;
}

export interface RulesetView {
  readonly id: string;
  readonly name: string;
  readonly description: string;
  readonly kind: string;
  readonly phase: string;
  readonly version: string;
  readonly last_updated: string;
  readonly source?: string;
  readonly rules?: readonly RuleView[];
}

/** A service without a server, and how to talk to it. */
export interface Bench {
  readonly service: EmulatedService;
  readonly clock: SettableClock;
  /** Sends a request below the base URL with the seed's token; a string body is sent as it is, an empty header is omitted. */
  call<T = RulesetView>(
    method: string,
    path: string,
    body?: unknown,
    headers?: Readonly<Record<string, string>>,
  ): Promise<Reply<T>>;
  /** As `call`, but throws on an answer that is no success, and returns the result alone. */
  ok<T = RulesetView>(method: string, path: string, body?: unknown): Promise<T>;
  /** Sends a request to a control endpoint. */
  control(
    method: string,
    path: string,
    body?: unknown,
    headers?: Readonly<Record<string, string>>,
  ): Promise<Response>;
}

export const account = `/accounts/${scopeId('account', 'Example Shop')}`;
export const shop = `/zones/${scopeId('zone', 'shop.example')}`;
export const blog = `/zones/${scopeId('zone', 'blog.example')}`;
export const api = `/zones/${scopeId('zone', 'api.example')}`;

/** Starts a service on a fake clock with counted ids and no budget. */
export async function startBench(options: EmulatorOptions = {}): Promise<Bench> {
  const clock = fakeClock('2026-03-04T05:06:07Z');
  const service = await createService({ clock, ids: countedIds('test'), budget: 'off', ...options });
  const app = createApp(service);
  const callable = caller(SEED_TOKEN, (path, init) =>
    app.request(`http://emulator.test/client/v4${path}`, init),
  );
  return {
    service,
    clock,
    ...callable,
    control: async (method, path, body, headers = {}) =>
      app.request(`http://emulator.test/_emulator${path}`, {
        method,
        headers: { ...(body === undefined ? {} : { 'content-type': 'application/json' }), ...headers },
        ...(body === undefined ? {} : { body: JSON.stringify(body) }),
      }),
  };
}

/** `call` and `ok` for a token and a way to send requests. */
export function caller(
  token: string,
  send: (path: string, init: RequestInit) => Response | Promise<Response>,
): Pick<Bench, 'call' | 'ok'> {
  const call = async <T>(
    method: string,
    path: string,
    body?: unknown,
    headers: Readonly<Record<string, string>> = {},
  ): Promise<Reply<T>> => {
    const sent = {
      authorization: `Bearer ${token}`,
      ...(body === undefined ? {} : { 'content-type': 'application/json' }),
      ...headers,
    };
    const response = await send(path, {
      method,
      headers: Object.entries(sent).filter(([, value]) => value !== ''),
      ...(body === undefined ? {} : { body: typeof body === 'string' ? body : JSON.stringify(body) }),
    });
    const text = await response.text();
    return {
      status: response.status,
      headers: response.headers,
      text,
      body: (text === '' ? {} : JSON.parse(text)) as Reply<T>['body'],
    };
  };
  return {
    call,
    ok: async <T>(method: string, path: string, body?: unknown) => {
      const reply = await call<T>(method, path, body);
      if (reply.status !== 200 && reply.status !== 204) {
        throw new Error(`${method} ${path}: ${reply.status} ${reply.text}`);
      }
      return reply.body.result;
    },
  };
}

/** A custom rule that any zone accepts. */
export function blockRule(members: Readonly<Record<string, unknown>> = {}): Record<string, unknown> {
  return { action: 'block', expression: 'ip.src eq 192.0.2.1', ...members };
}

/** The path of an entry point. */
export function entryPoint(scope: string, phase: string): string {
  return `${scope}/rulesets/phases/${phase}/entrypoint`;
}

/** The status and the first error of a refused call. */
export function refusalOf(reply: Reply<unknown>): {
  readonly status: number;
  readonly code: number | undefined;
  readonly message: string | undefined;
  readonly pointer: string | undefined;
} {
  const error = reply.body.errors[0];
  return {
    status: reply.status,
    code: error?.code,
    message: error?.message,
    pointer: error?.source?.pointer,
  };
}
