import type { ReadClient } from '../../api/client.ts';
import { openReadClient } from '../../api/client.ts';
import type { DesiredScope } from '../../model/state.ts';
import type { Report } from '../events.ts';
import type { Reached } from '../service/reach-scope.ts';
import type { ServiceOptions } from '../service/service-options.ts';
import { withScope } from '../service/with-scope.ts';

/** A zone by name or id, and the scopes of the project, which say its token. */
export interface ZoneChoice {
  readonly zone: string;
  readonly scopes: readonly DesiredScope[];
}

/** Reads something of the zone with a client that can only read; `identity` is the service. */
export function readingZone<Value>(
  { zone, scopes }: ZoneChoice,
  { options, report }: { readonly options: ServiceOptions; readonly report: Report },
  read: (reached: Reached<ReadClient>, identity: string) => Promise<Value>,
): Promise<Value> {
  return withScope(
    { ref: { kind: 'zone', name: zone }, scopes },
    { options, open: openReadClient, report },
    read,
  );
}
