import type { Closable, ReadClient } from '../../api/client.ts';
import type { ConnectionOptions } from '../../api/connection.ts';
import type { ScopeRef } from '../../model/scope.ts';
import type { DesiredScope } from '../../model/state.ts';
import type { Report } from '../events.ts';
import { openService } from './open-service.ts';
import type { Reached } from './reach-scope.ts';
import { reachScope } from './reach-scope.ts';
import type { ServiceOptions } from './service-options.ts';

/** What a scope is reached with. */
export interface Opening<Client> {
  readonly options: ServiceOptions;
  readonly open: (options: ConnectionOptions) => Client & Closable;
  readonly report: Report;
}

/** Reaches one scope with the token that the files give it, does something with it, and closes the service. */
export async function withScope<Client extends ReadClient, Value>(
  { ref, scopes }: { readonly ref: ScopeRef; readonly scopes: readonly DesiredScope[] },
  { options, open, report }: Opening<Client>,
  work: (reached: Reached<Client>, identity: string) => Promise<Value>,
): Promise<Value> {
  const service = await openService(options, open, report);
  try {
    const reached = await reachScope((tokenEnv) => service.client(tokenEnv), scopes, ref);
    return await work(reached, service.identity);
  } finally {
    await service.close();
  }
}
