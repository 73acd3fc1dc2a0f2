import type { ReadClient } from '../api/client.ts';
import type { DesiredScope, LiveScope } from '../model/state.ts';

/** SIGNATURE ONLY for now. */
export async function readScope(client: ReadClient, desired: DesiredScope): Promise<LiveScope> {
  throw new Error(`not there yet ${client.baseUrl} ${desired.scope.name}`);
}
