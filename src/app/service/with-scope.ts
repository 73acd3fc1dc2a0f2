import type { ReadClient } from '../../api/index.ts';
import { openReadClient } from '../../api/index.ts';
import type { ScopeRef, DesiredScope } from '../../model/index.ts';
import type { OnEvent } from '../run/events.ts';
import type { Guards } from '../project/project-guards.ts';
import type { ServiceOpening } from './open-service.ts';
import { withService } from './open-service.ts';
import type { Reached } from './reach-scope.ts';
import { reachScope } from './reach-scope.ts';
import type { ServiceOptions } from './service-options.ts';

/** Reaches one scope with the token that the files give it, calls `work`, and closes the service. */
export function withScope<Client extends ReadClient, Value>(
  { ref, scopes }: { readonly ref: ScopeRef; readonly scopes: readonly DesiredScope[] },
  opening: ServiceOpening<Client>,
  work: (reached: Reached<Client>, identity: string) => Promise<Value>,
): Promise<Value> {
  return withService(opening, async (service) =>
    work(await reachScope((tokenEnv) => service.client(tokenEnv), scopes, ref), service.identity),
  );
}

/** A zone, and the project around the folder, which has its token, its guards and the ownership of its rules. */
export interface ZoneChoice {
  readonly zone: ScopeRef;
  readonly guards: Guards;
}

/** Calls `read` with a zone that is reached by a client that can only read; `identity` is that of the service. */
export function readingZone<Value>(
  { zone, guards }: ZoneChoice,
  service: { readonly options: ServiceOptions; readonly report: OnEvent },
  read: (reached: Reached<ReadClient>, identity: string) => Promise<Value>,
): Promise<Value> {
  return withScope({ ref: zone, scopes: guards.scopes }, { ...service, open: openReadClient }, read);
}
