import { accept } from './accept.ts';
import type { ReadClient } from './client.ts';
import type { Page } from './pages.ts';
import { readByPage, readPage } from './pages.ts';
import { zonePath } from './paths.ts';
import type { Place } from './shape.ts';
import { itemsAt, objectAt, optionalText, textMember } from './shape.ts';
import type { JsonObject } from '../model/json.ts';
import type { Scope } from '../model/scope.ts';

const PAGES = { perPage: 50, decode: decodeZones };

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
  return accept(await client.get(zonePath(id)), (result) => decodeZone({ value: result, pointer: '' }));
}

/** The account that holds a zone: who may read the zone may know its name. A service that does not say it has the id for it. */
export async function accountOfZone(client: ReadClient, zone: Zone['id']): Promise<Scope> {
  return accept(await client.get(zonePath(zone)), (result) => {
    const account = accountIn({ value: result, pointer: '' });
    const id = textMember(account, 'id', '/account');
    return { kind: 'account', id, name: optionalText(account, 'name', '/account') ?? id, accountId: id };
  });
}

function decodeZones(result: unknown): readonly Zone[] {
  return itemsAt({ value: result, pointer: '' }).map(decodeZone);
}

function decodeZone(place: Place): Zone {
  const zone = objectAt(place);
  const account = accountIn(place);
  const plan =
    zone['plan'] === undefined ? {} : objectAt({ value: zone['plan'], pointer: `${place.pointer}/plan` });
  return {
    kind: 'zone',
    id: textMember(zone, 'id', place.pointer),
    name: textMember(zone, 'name', place.pointer),
    accountId: textMember(account, 'id', `${place.pointer}/account`),
    ...(typeof plan['legacy_id'] === 'string' ? { plan: plan['legacy_id'] } : {}),
  };
}

function accountIn(place: Place): JsonObject {
  return objectAt({ value: objectAt(place)['account'], pointer: `${place.pointer}/account` });
}
