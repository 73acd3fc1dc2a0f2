import { zoneScope } from './call.ts';
import type { ScopedCall } from './call.ts';
import type { EmulatedService } from './service.ts';
import type { Zone } from '../records/directory-record.ts';

/** Makes a call in a zone without a request, for an action of the owner in the dashboard or of the service itself. */
export function ownerCall(
  service: EmulatedService,
  zone: Zone,
  {
    query = {},
    params = {},
    body = {},
  }: Partial<Record<'query' | 'params', Readonly<Record<string, string>>>> & { readonly body?: object } = {},
): ScopedCall {
  const account = service.store.accounts.get(zone.account);
  const [user] = service.store.users.all();
  if (account === undefined || user === undefined) {
    throw new Error(`zone ${zone.name} has no account or nobody owns it`);
  }
  return {
    service,
    credential: { user },
    query: new URLSearchParams(query),
    params,
    contentType: 'application/json',
    bodyText: JSON.stringify(body),
    scope: zoneScope(zone, account),
  };
}
