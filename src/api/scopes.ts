import type { Scope, ScopeKind } from '../model/index.ts';
import { SCOPES_PER_PAGE } from '../model/index.ts';
import { decodeResult } from './response.ts';
import type { ReadClient } from './client.ts';
import type { Page } from './pages.ts';
import { readByPage, readPage } from './pages.ts';
import { zonePath } from './paths.ts';
import type { FieldReaders } from './answer-shape.ts';
import {
  decodeAll,
  decodeOne,
  memberAt,
  membersAt,
  objectAt,
  optionalText,
  textMember,
} from './answer-shape.ts';

const LISTS = {
  zone: { path: '/zones', decode: decodeAll(decodeZone) },
  account: { path: '/accounts', decode: decodeAll(decodeAccount) },
} as const;

/** Finds the zones or accounts with a name (zone names are lower case at the service); usually one or none. */
export function findScopes(client: ReadClient, kind: ScopeKind, name: string): Promise<readonly Scope[]> {
  const { path, decode } = LISTS[kind];
  const query = { name: kind === 'zone' ? name.toLowerCase() : name };
  return readByPage(client, path, { perPage: SCOPES_PER_PAGE, decode, query });
}

/** Reads a page (from 1) of all zones or accounts that the credentials may see. */
export function pageOfScopes(client: ReadClient, kind: ScopeKind, number: number): Promise<Page<Scope>> {
  const { path, decode } = LISTS[kind];
  return readPage(client, path, number, { perPage: SCOPES_PER_PAGE, decode });
}

/** Reads one zone by id. */
export async function getZone(client: ReadClient, id: string): Promise<Scope> {
  return decodeResult(await client.get(zonePath(id)), decodeOne(decodeZone));
}

/**
 * Reads the account of a zone from the zone itself: who may read the zone may know the account's name. The account's id stands in for a
 * name that the service does not give.
 */
export async function accountOfZone(client: ReadClient, zone: Scope['id']): Promise<Scope> {
  return decodeResult(await client.get(zonePath(zone)), decodeOne(decodeAccountOf));
}

function decodeAccountOf(zone: FieldReaders): Scope {
  const account = membersAt(memberAt(zone, 'account'));
  const id = textMember(account, 'id');
  return { kind: 'account', id, name: optionalText(account, 'name') ?? id, accountId: id };
}

function decodeAccount(account: FieldReaders): Scope {
  const id = textMember(account, 'id');
  return { kind: 'account', id, name: textMember(account, 'name'), accountId: id };
}

function decodeZone(zone: FieldReaders): Scope {
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
