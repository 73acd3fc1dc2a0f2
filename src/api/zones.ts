import { accept } from './accept.ts';
import type { ReadClient } from './client.ts';
import type { Page } from './pages.ts';
import { readByPage, readPage } from './pages.ts';
import { zonePath } from './paths.ts';
import type { Members } from './shape.ts';
import { decodeAll, decodeOne, memberAt, membersAt, objectAt, optionalText, textMember } from './shape.ts';
import type { Scope } from '../model/scope.ts';

const PAGES = { perPage: 50, decode: decodeAll(decodeZone) };

/** A zone, as far as it is needed here (api.md 13.4). */
export interface Zone extends Scope {
  readonly kind: 'zone';
}

/** The zones that the service finds under a name (which it keeps in lower case); usually one or none. */
export function findZones(client: ReadClient, name: string): Promise<readonly Zone[]> {
  return readByPage(client, '/zones', { ...PAGES, query: { name: name.toLowerCase() } });
}

/** A page (from 1) of all zones that the credentials may see, 50 a page. */
export function pageOfZones(client: ReadClient, number: number): Promise<Page<Zone>> {
  return readPage(client, '/zones', number, PAGES);
}

/** One zone by id. */
export async function getZone(client: ReadClient, id: string): Promise<Zone> {
  return accept(await client.get(zonePath(id)), decodeOne(decodeZone));
}

/** The account that holds a zone: who may read the zone may know its name. A service that does not say it has the id for it. */
export async function accountOfZone(client: ReadClient, zone: Zone['id']): Promise<Scope> {
  return accept(await client.get(zonePath(zone)), decodeOne(decodeAccountOf));
}

function decodeAccountOf(zone: Members): Scope {
  const account = membersAt(memberAt(zone, 'account'));
  const id = textMember(account, 'id');
  return { kind: 'account', id, name: optionalText(account, 'name') ?? id, accountId: id };
}

function decodeZone(zone: Members): Zone {
  const account = membersAt(memberAt(zone, 'account'));
  const plan = zone.object['plan'] === undefined ? {} : objectAt(memberAt(zone, 'plan'));
  return {
    kind: 'zone',
    id: textMember(zone, 'id'),
    name: textMember(zone, 'name'),
    accountId: textMember(account, 'id'),
    ...(typeof plan['legacy_id'] === 'string' ? { plan: plan['legacy_id'] } : {}),
  };
}
