import type { Environment, ScopeRef } from '../../model/index.ts';
import type { RequestBudget, Credentials, WritePermit } from '../../api/index.ts';
import type { Proxy } from '../../network/index.ts';
import { proxyFor } from '../../network/index.ts';
import type { ProjectSecrets } from '../project/project-secrets.ts';
import type { OnEvent } from '../run/events.ts';
import type { Extension } from '../run/extension.ts';
import type { RunTime } from '../run/time.ts';
import type { CacheChoice } from './open-cache.ts';
import type { RequestBound } from './request-bound.ts';

/** The service that a run talks to. */
export type ServiceChoice =
  | { readonly kind: 'service'; readonly baseUrl: string; readonly credentials: Credentials | null }
  /** The embedded service on loopback, with its state in a file. It creates those of `scopes` that it lacks, empty. */
  | { readonly kind: 'emulator'; readonly stateFile: string; readonly scopes?: readonly ScopeRef[] };

/** How a run talks to the service. */
export interface ServiceOptions extends RunTime {
  readonly service: ServiceChoice;
  /** The environment in which `token_env` of a scope and the proxy are looked up. */
  readonly env: Environment;
  /** Values that only requests may contain; `sensitiveValues` reads them. */
  readonly secrets: ProjectSecrets;
  /** The most scopes that are worked on concurrently. */
  readonly concurrency: number;
  /** The rate limiter of the run. Shared by all tokens, because the service counts per user. */
  readonly budget: RequestBudget;
  /** The limit on the requests of planning; none unless given. */
  readonly bound?: RequestBound | undefined;
  /** The cache; none unless given, and never for the embedded service. */
  readonly cache?: CacheChoice | undefined;
  /** As in `ConnectionOptions`; also asked before a run begins in its journal. */
  readonly mayWrite?: WritePermit | undefined;
  /** What is asked of the service besides rulesets; nothing unless given. */
  readonly extension?: Extension | undefined;
  /** Stops the run between requests. */
  readonly signal?: AbortSignal | undefined;
}

/** A use case that works with the service: `choice` tells on what, and events are reported on the way. */
export type UseCase<Choice, Answer> = (
  choice: Choice,
  options: ServiceOptions,
  report: OnEvent,
) => Promise<Answer>;

/** Returns the options, with an embedded service that has the scopes of a project, so that its files can be tried as they are. */
export function havingScopes(
  options: ServiceOptions,
  scopes: readonly { readonly scope: ScopeRef }[],
): ServiceOptions {
  const { service } = options;
  return service.kind === 'emulator'
    ? { ...options, service: { ...service, scopes: scopes.map(({ scope }) => scope) } }
    : options;
}

/** Returns the proxy of a run from the environment; none for the embedded service, which is on this machine. Throws `api/bad-proxy`. */
export function serviceProxy({ service, env }: Pick<ServiceOptions, 'service' | 'env'>): Proxy | undefined {
  return service.kind === 'emulator' ? undefined : proxyFor(service.baseUrl, env);
}
