import { decodeBody, param, zoneOf } from '../call/call.ts';
import type { Access, ScopedCall } from '../call/call.ts';
import type { ObjectShape } from '../decode/shape.ts';
import { oldQuota } from './quota.ts';
import type { JsonObject } from '../protocol/json.ts';
import { result } from '../protocol/answer.ts';
import type { Answer } from '../protocol/answer.ts';
import type { Refusal } from '../protocol/refusal.ts';
import { notFound } from '../protocol/templates.ts';
import { inZones } from '../call/route.ts';
import type { Route } from '../call/route.ts';
import type { Zone } from '../records/directory.ts';
import { objectsOf, showObject } from './zone-object.ts';
import type { FamilyName, ZoneObject } from '../records/zone-object.ts';

/** What distinguishes one family of objects from the others. */
export interface ObjectFamily {
  readonly name: FamilyName;
  /** The name of one object in error messages. */
  readonly noun: string;
  readonly path: string;
  /** `known`: PATCH changes the members that a body names; the other families have PUT only. */
  readonly patch: 'known' | 'unknown';
  /** Which calls are refused when a zone has too many objects: those that add one, or also changes. */
  readonly quotaBinds: 'additions' | 'all writes';
  readonly body: ObjectShape;
  readonly checkAccess: (call: ScopedCall, access: Access) => void;
  readonly list: (call: ScopedCall, objects: readonly ZoneObject[]) => Answer;
  /** Refuses a decoded body that is not valid. */
  readonly check: (body: JsonObject) => void;
  /** Returns what is stored for a valid body. */
  readonly fill: (body: JsonObject, at: Filling) => JsonObject;
  readonly overQuota: (max: number) => Refusal;
  readonly deleted: (call: ScopedCall, id: string) => Answer;
}

/** What `fill` needs besides the body. */
export interface Filling {
  readonly zone: Zone;
  readonly stamp: string;
  /** The body that is replaced; undefined for a new object. */
  readonly before: JsonObject | undefined;
}

/** The paging and rendering of most lists. */
export const objectList = { bounds: { min: 1, max: 1000, standard: 20 }, show: showObject };

/** Answers a deletion with the id of the object. */
export function deletedId(_call: ScopedCall, id: string): Answer {
  return result({ id });
}

/** Makes the routes of a family: list, create, read, replace, change and delete. */
export function familyRoutes(family: ObjectFamily): readonly Route[] {
  const one = `${family.path}/:object`;
  return [
    inZones('GET', family.path, (call) => list(call, family)),
    inZones('POST', family.path, (call) => create(call, family)),
    inZones('GET', one, (call) => get(call, family)),
    inZones('PUT', one, (call) => change(call, family, 'whole')),
    ...(family.patch === 'known' ? [inZones('PATCH', one, (call) => change(call, family, 'part'))] : []),
    inZones('DELETE', one, (call) => remove(call, family)),
  ];
}

function list(call: ScopedCall, family: ObjectFamily): Answer {
  family.checkAccess(call, 'Read');
  return family.list(call, objectsOf(call.service.store, zoneOf(call), family.name));
}

function get(call: ScopedCall, family: ObjectFamily): Answer {
  family.checkAccess(call, 'Read');
  return result(showObject(findObject(call, family)));
}

function create(call: ScopedCall, family: ObjectFamily): Answer {
  family.checkAccess(call, 'Write');
  const body = decodeBody(call, family.body);
  family.check(body);
  checkQuota(call, family, 1);
  return store(call, family, { id: call.service.newId(), body, before: undefined });
}

function change(call: ScopedCall, family: ObjectFamily, extent: 'whole' | 'part'): Answer {
  family.checkAccess(call, 'Write');
  const { id, body: before } = findObject(call, family);
  const sent = decodeBody(call, family.body);
  const body = extent === 'whole' ? sent : { ...before, ...sent };
  family.check(body);
  if (family.quotaBinds === 'all writes') {
    checkQuota(call, family, 0);
  }
  return store(call, family, { id, body, before });
}

function remove(call: ScopedCall, family: ObjectFamily): Answer {
  family.checkAccess(call, 'Write');
  const { id } = findObject(call, family);
  call.service.store.zoneObjects.delete(id);
  return family.deleted(call, id);
}

function findObject(call: ScopedCall, family: ObjectFamily): ZoneObject {
  const id = param(call, 'object');
  const found = call.service.store.zoneObjects.get(id);
  if (found === undefined || found.zone !== zoneOf(call).id || found.family !== family.name) {
    throw notFound(family.noun, id);
  }
  return found;
}

function checkQuota(call: ScopedCall, { name, overQuota }: ObjectFamily, more: 0 | 1): void {
  const zone = zoneOf(call);
  const max = oldQuota(zone, name);
  if (objectsOf(call.service.store, zone, name).length + more > max) {
    throw overQuota(max);
  }
}

function store(
  call: ScopedCall,
  family: ObjectFamily,
  {
    id,
    body,
    before,
  }: { readonly id: string; readonly body: JsonObject; readonly before: JsonObject | undefined },
): Answer {
  const zone = zoneOf(call);
  const filled = family.fill(body, { zone, stamp: call.service.stamp(), before });
  const stored: ZoneObject = { id, zone: zone.id, family: family.name, body: filled };
  call.service.store.zoneObjects.set(id, stored);
  return result(showObject(stored));
}
