import type { Closable } from '../../api/client.ts';
import type { ConnectionOptions } from '../../api/connection.ts';
import { systemClock } from '../../api/clock.ts';
import type { Credentials } from '../../api/credentials.ts';
import { maskCredentials } from '../../api/credentials.ts';
import type { EmulatorEvent } from '../../emulator/index.ts';
import { RulewrightError } from '../../model/error.ts';
import type { Cause } from '../../model/source.ts';
import { causeText } from '../../model/source.ts';
import { scopeLabel } from '../../model/scope.ts';
import { discreetCache } from '../../live/discreet-cache.ts';
import type { RulesetCache } from '../../live/ruleset-cache.ts';
import { NO_CACHE } from '../../live/ruleset-cache.ts';
import { tidyCache } from '../../live/prune-cache.ts';
import type { Report } from '../events.ts';
import type { Foresight } from './foresight.ts';
import { foresightOf } from './foresight.ts';
import { openCache } from './open-cache.ts';
import { runBudget } from './run-budget.ts';
import { serviceProxy } from './service-options.ts';
import type { ServiceOptions } from './service-options.ts';

/** The service of a run: one client for each set of credentials, all of one kind. */
export interface Service<Client> {
  /** What a plan is bound to: the base URL, or `emulator`, whose port changes with each start. */
  readonly identity: string;
  /** The client for a scope, by the name of the environment variable that holds its token, and where a file names that. */
  client(tokenEnv: string | undefined, named?: Cause): Client;
  /** What was read before with the credentials of a scope. */
  cache(tokenEnv: string | undefined): RulesetCache;
  /** Requests sent so far. */
  requests(): number;
  /** Foresees the rest of work that begins now and takes about so many requests. */
  foresight(expected: number): Foresight;
  close(): Promise<void>;
}

/**
 * Opens the service with clients of one kind: `openReadClient` where nothing may be written, so that in
 * plan mode no object exists that could write.
 */
export async function openService<Client>(
  options: ServiceOptions,
  open: (options: ConnectionOptions) => Client & Closable,
  report: Report,
): Promise<Service<Client>> {
  const started = await start(options, report);
  const proxy = serviceProxy(options);
  const { budget = runBudget(options) } = options;
  const clients = new Map<string, Client & Closable>();
  const caches = new Map<string, RulesetCache>();
  let requests = 0;
  let waitedMs = 0;
  // One service hears of the tokens of all scopes, so what it says may hold any of them.
  const masks: ((text: string) => string)[] = [];
  const conceal = (text: string): string => masks.reduce((masked, mask) => mask(masked), text);
  const openWith = (credentials: Credentials): Client & Closable => {
    masks.push(maskCredentials(credentials));
    return open({
      baseUrl: started.baseUrl,
      credentials,
      conceal,
      budget,
      proxy,
      clock: options.clock,
      signal: options.signal,
      sensitive: options.sensitive,
      beforeConnecting: options.beforeConnecting,
      onEvent: (event) => {
        requests += event.kind === 'started' ? 1 : 0;
        waitedMs += event.kind === 'waiting' ? event.ms : 0;
        report({ kind: 'client', event });
      },
    });
  };
  return {
    identity: started.identity,
    client(tokenEnv, named) {
      const key = tokenEnv ?? '';
      const known =
        clients.get(key) ?? openWith(credentialsFor(options, started.credentials, tokenEnv, named));
      clients.set(key, known);
      return known;
    },
    cache(tokenEnv) {
      const { cache, sensitive = [], missing = [] } = options;
      // A value that is not known would not be known again in what is read.
      if (cache === undefined || options.service.kind === 'emulator' || missing.length > 0) {
        return NO_CACHE;
      }
      const key = tokenEnv ?? '';
      const credentials = credentialsFor(options, started.credentials, tokenEnv);
      const known =
        caches.get(key) ??
        discreetCache(openCache(cache, { service: started.identity, credentials }, report), sensitive);
      caches.set(key, known);
      return known;
    },
    requests: () => requests,
    foresight: (expected) => foresightOf(expected, { ...options, budget }, () => ({ requests, waitedMs })),
    async close() {
      await Promise.all([...clients.values()].map((client) => client.close()));
      if (options.cache !== undefined && caches.size > 0) {
        await tidyCache(options.cache.folder, systemClock);
      }
      await started.close();
    },
  };
}

/** What the service is opened with. */
export interface Opening<Client> {
  readonly options: ServiceOptions;
  readonly open: (options: ConnectionOptions) => Client & Closable;
  readonly report: Report;
}

/** Opens the service for some work, and closes it when that has ended. */
export async function withService<Client, Value>(
  { options, open, report }: Opening<Client>,
  work: (service: Service<Client>) => Promise<Value>,
): Promise<Value> {
  const service = await openService(options, open, report);
  try {
    return await work(service);
  } finally {
    await service.close();
  }
}

interface Started {
  readonly identity: string;
  readonly baseUrl: string;
  readonly credentials: Credentials | null;
  close(): Promise<void>;
}

async function start({ service }: ServiceOptions, report: Report): Promise<Started> {
  if (service.kind === 'service') {
    const { baseUrl, credentials } = service;
    return { identity: baseUrl, baseUrl, credentials, close: () => Promise.resolve() };
  }
  // Loaded late: a run against the real service has no use for it.
  const { startEmbedded } = await import('./embedded.ts');
  const { stateFile, scopes = [] } = service;
  const made: Extract<EmulatorEvent, { readonly kind: 'made' }>[] = [];
  const emulator = await startEmbedded({
    port: 0,
    stateFile,
    scopes,
    budget: 'off',
    log: (event) => {
      if (event.kind === 'made') {
        made.push(event);
      }
    },
  });
  if (made.length > 0) {
    report({
      kind: 'scopes-made',
      scopes: made.map(({ scope }) => scopeLabel(scope)),
      slips: made.flatMap(({ scope, near }) =>
        near === undefined ? [] : [{ scope: scopeLabel(scope), near }],
      ),
    });
  }
  return {
    identity: 'emulator',
    baseUrl: emulator.baseUrl,
    credentials: { kind: 'token', token: emulator.token },
    close: () => emulator.close(),
  };
}

function credentialsFor(
  options: ServiceOptions,
  usual: Credentials | null,
  tokenEnv: string | undefined,
  named?: Cause,
): Credentials {
  if (options.service.kind === 'emulator' && usual !== null) {
    return usual;
  }
  if (tokenEnv !== undefined) {
    const token = options.env[tokenEnv];
    if (token === undefined || token === '') {
      const place = named === undefined ? '' : ` at ${causeText(named)}`;
      throw noCredentials(
        `the environment variable ${tokenEnv}, which token_env${place} names, is not set`,
        `set ${tokenEnv} to the API token of this scope; without token_env the usual credentials count`,
      );
    }
    return { kind: 'token', token };
  }
  if (usual === null) {
    throw noCredentials('no credentials for the service', USUAL);
  }
  return usual;
}

const USUAL =
  'set CLOUDFLARE_API_TOKEN, or CLOUDFLARE_EMAIL and CLOUDFLARE_API_KEY; or use --emulator to try without an account';

function noCredentials(message: string, hint: string): RulewrightError {
  return new RulewrightError(message, { code: 'app/no-credentials', fault: 'user', hint });
}
