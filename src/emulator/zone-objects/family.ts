import { checkAllRights, decodeBody, param, checkPermission, zoneOf } from '../call/call.ts';
import type { Access, Call, ScopedCall } from '../call/call.ts';
import type { ObjectShape } from '../decode/shape.ts';
import type { ServiceClock } from '../environment/clock.ts';
import type { WireObject } from '../protocol/json.ts';
import type { Method, Answer } from '../protocol/answer.ts';
import { result } from '../protocol/answer.ts';
import { decline, notFound, refuse } from '../protocol/refusal.ts';
import type { Refusal } from '../protocol/refusal.ts';
import { inAccounts, inZones, plainRoute } from '../call/route.ts';
import type { Route } from '../call/route.ts';
import type { User, Zone, ZonePlanLevel } from '../records/directory.ts';
import type { FamilyName, ZoneObject } from '../records/old-records.ts';
import type { Store } from '../store/store.ts';
import { groupOf } from '../records/old-records.ts';

type ByPlan = Readonly<Record<ZonePlanLevel, number>>;

/** The maximum number of objects of each old family in a zone, by plan (api.md 8.1). */
const limits: Readonly<Record<OldFamily, ByPlan>> = {
  firewall_rules: { free: 5, pro: 20, business: 100, enterprise: 1000 },
  rate_limits: { free: 1, pro: 10, business: 15, enterprise: 100 },
  page_rules: { free: 3, pro: 20, business: 50, enterprise: 125 },
  ua_rules: { free: 10, pro: 50, business: 250, enterprise: 1000 },
  lockdowns: { free: 0, pro: 3, business: 10, enterprise: 200 },
};

/** The old families with a quota. */
type OldFamily = 'firewall_rules' | 'rate_limits' | 'page_rules' | 'ua_rules' | 'lockdowns';

/** Returns the maximum number of objects of a family that the zone's plan allows. */
export function oldQuota(zone: Zone, family: OldFamily): number {
  return limits[family][zone.plan];
}

/** Returns an owner's objects of one family, oldest first. */
export function objectsOf(
  store: Store,
  owner: { readonly id: string },
  family: FamilyName,
): readonly ZoneObject[] {
  return store.zoneObjects.group(groupOf({ zone: owner.id, family }));
}

/** Shows an object as in answers. */
export function showObject({ id, body }: ZoneObject): WireObject {
  return { id, ...body };
}

/** Whose objects a call is about. */
export type Owner =
  | { readonly kind: 'zone'; readonly id: string; readonly zone: Zone }
  | { readonly kind: 'account'; readonly id: string }
  | { readonly kind: 'user'; readonly id: string; readonly user: User };

/** A call about the objects of an owner. */
interface OwnedCall extends Call {
  readonly owner: Owner;
}

/** What distinguishes one family of objects from the others. */
export interface ObjectFamily {
  readonly name: FamilyName;
  /** The name of one object in error messages. */
  readonly noun: string;
  readonly path: string;
  /** Who has such objects; zones only unless said. */
  readonly owners?: readonly Owner['kind'][];
  /** How an object is changed: PUT replaces it, PATCH changes the members that a body names. */
  readonly changes: readonly ('PUT' | 'PATCH')[];
  readonly quota?: FamilyQuota;
  readonly body: ObjectShape;
  readonly checkAccess: (call: ScopedCall, access: Access) => void;
  readonly list: (call: OwnedCall, objects: readonly ZoneObject[]) => Answer;
  /** Returns what is stored for a decoded body; refuses one that is not valid. */
  readonly fill: (body: WireObject, at: ObjectFilling) => WireObject;
  /** Shows an object; as stored, with its id, unless said. */
  readonly show?: (object: ZoneObject, call: OwnedCall) => WireObject;
  /** The refusal of an id that does not exist. */
  readonly missing?: (id: string) => Refusal;
  readonly deleted: (call: Call, id: string) => Answer;
}

interface FamilyQuota {
  readonly of: OldFamily;
  /** Which calls are refused when a zone has too many objects: those that add one, or also changes. */
  readonly binds: 'additions' | 'all writes';
  readonly exceeded: (max: number) => Refusal;
}

/** What `fill` needs besides the body. */
export interface ObjectFilling {
  readonly owner: Owner;
  readonly stamp: string;
  readonly service: { readonly clock: ServiceClock };
  /** The object that is changed or replaced; undefined for a new one. */
  readonly before: WireObject | undefined;
  /** The owner's other objects of the family. */
  readonly others: readonly ZoneObject[];
}

/** The paging and rendering of most lists. */
export const objectList = { bounds: { min: 1, max: 1000, standard: 20 }, show: showObject };

/** Answers a deletion with the id of the object. */
export function deletedId(_call: Call, id: string): Answer {
  return result({ id });
}

/** Makes the routes of a family: list, create, read, replace, change and delete. */
export function familyRoutes(family: ObjectFamily): readonly Route[] {
  const one = `${family.path}/:object`;
  const { owners = ['zone'], changes } = family;
  return owners.flatMap((owner) => [
    route(family, owner, { method: 'GET', path: family.path, work: list }),
    route(family, owner, { method: 'POST', path: family.path, work: create }),
    route(family, owner, { method: 'GET', path: one, work: get }),
    ...changes.map((method) => route(family, owner, { method, path: one, work: changeBy(method) })),
    route(family, owner, { method: 'DELETE', path: one, work: remove }),
  ]);
}

type FamilyRequest = (call: OwnedCall, family: ObjectFamily) => Answer;

function route(
  family: ObjectFamily,
  owner: Owner['kind'],
  { method, path, work }: { readonly method: Method; readonly path: string; readonly work: FamilyRequest },
): Route {
  const access = method === 'GET' ? 'Read' : 'Write';
  const inScope = (call: ScopedCall): Answer => {
    family.checkAccess(call, access);
    const { scope } = call;
    const its: Owner =
      scope.kind === 'zone'
        ? { kind: 'zone', id: scope.zone.id, zone: scope.zone }
        : { kind: 'account', id: scope.account.id };
    return work({ ...call, owner: its }, family);
  };
  switch (owner) {
    case 'zone':
      return inZones(method, path, inScope);
    case 'account':
      return inAccounts(method, path, inScope);
    default:
      return plainRoute(method, `/user${path}`, (call) => {
        checkAllRights(call);
        const { user } = call.credential;
        return work({ ...call, owner: { kind: 'user', id: user.id, user } }, family);
      });
  }
}

function list(call: OwnedCall, family: ObjectFamily): Answer {
  return family.list(call, objectsOf(call.service.store, call.owner, family.name));
}

function get(call: OwnedCall, family: ObjectFamily): Answer {
  return result(shown(call, family, findObject(call, family)));
}

function create(call: OwnedCall, family: ObjectFamily): Answer {
  const body = decodeBody(call, family.body);
  return store(call, family, { id: call.service.newId(), body, before: undefined });
}

function changeBy(method: 'PUT' | 'PATCH'): FamilyRequest {
  return (call, family) => {
    const { id, body: before } = findObject(call, family);
    const sent = decodeBody(call, family.body);
    return store(call, family, { id, body: method === 'PUT' ? sent : { ...before, ...sent }, before });
  };
}

function remove(call: OwnedCall, family: ObjectFamily): Answer {
  const { id } = findObject(call, family);
  call.service.store.zoneObjects.delete(id);
  return family.deleted(call, id);
}

function findObject(call: OwnedCall, { name, noun, missing }: ObjectFamily): ZoneObject {
  const id = param(call, 'object');
  const found = call.service.store.zoneObjects.get(id);
  return found?.zone === call.owner.id && found.family === name
    ? found
    : decline(missing?.(id) ?? notFound(noun, id));
}

function store(
  call: OwnedCall,
  family: ObjectFamily,
  sent: { readonly id: string; readonly body: WireObject; readonly before: WireObject | undefined },
): Answer {
  const { owner, service } = call;
  const { id, before } = sent;
  const others = objectsOf(service.store, owner, family.name).filter((other) => other.id !== id);
  const body = family.fill(sent.body, { owner, stamp: service.stamp(), service, before, others });
  checkQuota(call, family, others.length + 1, before === undefined);
  const stored: ZoneObject = { id, zone: owner.id, family: family.name, body };
  service.store.zoneObjects.set(id, stored);
  return result(shown(call, family, stored));
}

function checkQuota({ owner }: OwnedCall, { quota }: ObjectFamily, count: number, isNew: boolean): void {
  if (quota === undefined || owner.kind !== 'zone' || (!isNew && quota.binds === 'additions')) {
    return;
  }
  const max = oldQuota(owner.zone, quota.of);
  if (count > max) {
    throw quota.exceeded(max);
  }
}

function shown(call: OwnedCall, { show = showObject }: ObjectFamily, object: ZoneObject): WireObject {
  return show(object, call);
}

const MAINTENANCE =
  'firewallrules.api.maintenance_mode. This API is in maintenance mode and no longer accepts modifications. Please migrate to the new Firewall Rules API at https://developers.cloudflare.com/waf/reference/legacy/firewall-rules-upgrade/';

/** Refuses a credential without the permission group of the old firewall families (api.md 11.3). */
export function checkServicesPermission(call: ScopedCall, access: Access): void {
  checkPermission(call, access, ['Firewall Services']);
}

/**
 * Like `checkServicesPermission`, for families that have ended: firewall rules, filters, old rate limits. Refuses calls
 * that the state of the interface does not allow (api.md 9, 13.4).
 */
export function checkEndedFamily(
  call: ScopedCall,
  access: Access,
  family: 'firewall' | 'rate_limits' = 'firewall',
): void {
  checkServicesPermission(call, access);
  const state = interfaceState(call);
  if (state === 'gone') {
    throw interfaceGone();
  }
  // Maintenance mode was only ever seen on firewall rules and filters.
  if (state === 'maintenance' && access === 'Write' && family === 'firewall') {
    throw refuse(400, MAINTENANCE, { code: 10020 });
  }
}

/** Returns the state of a zone's old interfaces: the zone's own setting, or else the service's switch. */
export function interfaceState(call: ScopedCall): 'open' | 'maintenance' | 'gone' {
  return zoneOf(call).firewall?.interface ?? call.service.switches.oldInterfaces;
}

/** Makes the refusal of any call after the end of an interface (api.md 13.4; text assumed). */
export function interfaceGone(): Refusal {
  return refuse(410, 'This endpoint has been deprecated and removed. Please use the Rulesets API instead.');
}
