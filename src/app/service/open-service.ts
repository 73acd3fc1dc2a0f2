import type { Closable, ConnectionOptions, Credentials } from '../../api/index.ts';
import { maskCredentials } from '../../api/index.ts';
import type { EmulatorEvent } from '../../emulator/index.ts';
import type { Cause } from '../../model/index.ts';
import { scopeLabel } from '../../model/index.ts';
import { redactingCache, NO_CACHE, pruneCacheDaily } from '../../live/index.ts';
import type { RulesetCache } from '../../live/index.ts';
import type { ProjectSecrets } from '../project/project-secrets.ts';
import type { OnEvent } from '../run/events.ts';
import { timeLeft } from '../../plan/index.ts';
import { credentialsFor } from './credentials-for.ts';
import { openCache } from './open-cache.ts';
import { serviceProxy } from './service-options.ts';
import type { ServiceOptions } from './service-options.ts';

/** The service of a run: one client for each set of credentials, all of one kind. */
export interface Service<Client> {
  /** What a plan is bound to: the base URL, or `emulator`, since the port of the embedded service changes with each start. */
  readonly identity: string;
  /** Returns the client for a scope, by the environment variable that holds its token; `named` is where a file names the variable. */
  client(tokenEnv: string | undefined, named?: Cause): Client;
  /** Returns the cache for the credentials of a scope. */
  cache(tokenEnv: string | undefined): RulesetCache;
  /** Returns the number of requests sent so far. */
  requests(): number;
  /** Estimates the remaining time of work that begins now and takes about `expected` requests. */
  timeLeft(expected: number): TimeLeftEstimator;
  close(): Promise<void>;
}

/**
 * Opens the service with clients of one kind: `openReadClient` if nothing may be written, so that in plan mode no object exists that
 * could write.
 */
export async function openService<Client>(
  options: ServiceOptions,
  open: (options: ConnectionOptions) => Client & Closable,
  report: OnEvent,
): Promise<Service<Client>> {
  const started = await start(options, report);
  const clients = openClients(options, started, { open, report });
  const caches = openCaches(options, started, report);
  return {
    identity: started.identity,
    client: clients.client,
    cache: caches.cache,
    requests: () => clients.sent().requests,
    timeLeft: (expected) => timeLeftEstimator(expected, options, clients.sent),
    async close() {
      await clients.close();
      await caches.close();
      await started.close();
    },
  };
}

/** Opens a client for each set of credentials on first use. */
function openClients<Client>(
  options: ServiceOptions,
  started: Started,
  { open, report }: Pick<ServiceOpening<Client>, 'open' | 'report'>,
): Pick<Service<Client>, 'client' | 'close'> & { readonly sent: () => RequestTotals } {
  const proxy = serviceProxy(options);
  const { budget, clock, signal, secrets, mayWrite } = options;
  const clients = new Map<string, Client & Closable>();
  let requests = 0;
  let waitedMs = 0;
  // The service receives the tokens of all scopes, so any of them may be in a response.
  const masks: ((text: string) => string)[] = [];
  const redactText = (text: string): string => masks.reduce((masked, mask) => mask(masked), text);
  const openWith = (credentials: Credentials): Client & Closable => {
    masks.push(maskCredentials(credentials));
    return open({
      baseUrl: started.baseUrl,
      credentials,
      redactText,
      budget,
      proxy,
      clock,
      signal,
      sensitive: secrets.known,
      mayWrite,
      onEvent: (event) => {
        requests += event.kind === 'started' ? 1 : 0;
        waitedMs += event.kind === 'waiting' ? event.ms : 0;
        report({ kind: 'client', event });
      },
    });
  };
  return {
    client(tokenEnv, named) {
      const key = tokenEnv ?? '';
      const known =
        clients.get(key) ?? openWith(credentialsFor(options, started.credentials, tokenEnv, named));
      clients.set(key, known);
      return known;
    },
    sent: () => ({ requests, waitedMs }),
    async close() {
      await Promise.all([...clients.values()].map((client) => client.close()));
    },
  };
}

/** Explains why nothing is cached while sensitive values are unknown, whichever scopes a run takes. */
function unknownValues({ missing, former }: ProjectSecrets): string {
  const unset = missing.filter((name) => !former.includes(name));
  const listed = unset.length > 0 ? unset : missing;
  const why = unset.length > 0 ? 'not set' : 'no longer called sensitive in the project file';
  return `not used, so every scope is read in full: ${listed.join(', ')} ${listed.length > 1 ? 'are' : 'is'} ${why}, and a secret that is not known cannot be kept out of it`;
}

/** Opens a cache for each set of credentials on first use. */
function openCaches(
  options: ServiceOptions,
  started: Started,
  report: OnEvent,
): Pick<Service<unknown>, 'cache' | 'close'> {
  const { cache: choice, clock, secrets } = options;
  let isTold = false;
  const caches = new Map<string, RulesetCache>();
  return {
    cache(tokenEnv) {
      if (choice === undefined || options.service.kind === 'emulator') {
        return NO_CACHE;
      }
      // An unknown value could not be recognised in what is read.
      if (secrets.missing.length > 0) {
        if (!isTold) {
          isTold = true;
          report({ kind: 'cache', problem: unknownValues(secrets) });
        }
        return NO_CACHE;
      }
      const key = tokenEnv ?? '';
      const credentials = credentialsFor(options, started.credentials, tokenEnv);
      const known =
        caches.get(key) ??
        redactingCache(
          openCache(choice, { service: started.identity, credentials, clock }, report),
          secrets.known,
        );
      caches.set(key, known);
      return known;
    },
    async close() {
      if (choice !== undefined && caches.size > 0) {
        await pruneCacheDaily(choice.folder, clock);
      }
    },
  };
}

/** How to open the service. */
export interface ServiceOpening<Client> {
  readonly options: ServiceOptions;
  readonly open: (options: ConnectionOptions) => Client & Closable;
  readonly report: OnEvent;
}

/** Opens the service for `work`, and closes it when that has ended. */
export async function withService<Client, Value>(
  { options, open, report }: ServiceOpening<Client>,
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

async function start({ service, clock }: ServiceOptions, report: OnEvent): Promise<Started> {
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
    clock,
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

/** Estimates the remaining time in milliseconds from the number of remaining items. */
type TimeLeftEstimator = (itemsLeft: number) => number;

/** The requests that a run has sent, and how long these waited for their turn. */
interface RequestTotals {
  readonly requests: number;
  readonly waitedMs: number;
}

/**
 * Returns an estimator based on the throughput so far; `expected` is the number of requests of the whole work, each item takes at
 * least one.
 */
export function timeLeftEstimator(
  expected: number,
  { budget, clock }: Pick<ServiceOptions, 'budget' | 'clock'>,
  sent: () => RequestTotals,
): TimeLeftEstimator {
  const start = { at: clock.now(), ...sent() };
  return (itemsLeft) => {
    const now = sent();
    const done = now.requests - start.requests;
    const remaining = itemsLeft === 0 ? 0 : Math.max(itemsLeft, expected - done);
    return timeLeft({
      sent: done,
      workedMs: Math.max(0, clock.now() - start.at - (now.waitedMs - start.waitedMs)),
      remaining,
      waitMs: remaining === 0 ? 0 : budget.waitFor(remaining),
    });
  };
}
