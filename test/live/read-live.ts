import type { ReadClient } from '../../src/api/client.ts';
import type { ReadScopeOptions } from '../../src/live/read-scopes.ts';
import { readScope } from '../../src/live/read-scopes.ts';
import type { DesiredScope, LiveScope } from '../../src/model/state.ts';

/** Reads the live state of a scope. Rejects with the first error. */
export async function readLive(
  client: ReadClient,
  desired: DesiredScope,
  options: ReadScopeOptions = {},
): Promise<LiveScope> {
  const reading = await readScope(client, desired, options);
  if (reading.kind === 'failed') {
    throw reading.errors[0] ?? new TypeError('a failed reading has an error');
  }
  return reading.live;
}
