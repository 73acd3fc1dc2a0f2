import { decodeBody, type ScopedCall } from '../call.ts';
import type { ObjectShape } from '../decode/shape.ts';
import type { JsonObject } from '../json.ts';
import { type Answer, result } from '../protocol/answer.ts';
import { isRefusal, type Refusal, refuse, serviceError } from '../protocol/refusal.ts';
import { inZones, type Route } from '../route.ts';
import type { Zone } from '../store/records.ts';
import { findObject, objectsOf, showObject, type ZoneObject, zoneOf } from '../zone-objects.ts';
import { servicesProblem } from './access.ts';
import { listPage, type Narrowings } from './list.ts';
import { oldQuota } from './quota.ts';

/** A family that is nothing but objects: lockdowns, user agent rules (api.md 9.7). */
export interface PlainFamily {
  readonly family: 'lockdowns' | 'ua_rules';
  readonly path: string;
  readonly body: ObjectShape;
  readonly narrowings: Narrowings<ZoneObject>;
  /** What is wrong with a decoded body. */
  readonly problem: (body: JsonObject) => Refusal | undefined;
  /** What is stored of a valid body; `before` is what it replaces. */
  readonly fill: (body: JsonObject, at: Filling) => JsonObject;
  /** The error that says that the plan has no more of them. */
  readonly quotaMessage: string;
}

/** What filling a body needs to know. */
export interface Filling {
  readonly stamp: string;
  readonly before: JsonObject | undefined;
}

/** List, create, read, replace and delete. */
export function plainRoutes(family: PlainFamily): readonly Route[] {
  const one = `${family.path}/:object`;
  return [
    inZones('GET', family.path, (call) => list(call, family)),
    inZones('POST', family.path, (call) => create(call, family)),
    inZones('GET', one, (call) => get(call, family)),
    inZones('PUT', one, (call) => put(call, family)),
    inZones('DELETE', one, (call) => remove(call, family)),
  ];
}

/** A new object of a family from a body that was judged: what the routes and the seed store. */
export function newObject(
  family: PlainFamily,
  zone: Zone,
  at: { readonly id: string; readonly stamp: string; readonly body: JsonObject },
): ZoneObject {
  const body = family.fill(at.body, { stamp: at.stamp, before: undefined });
  return { id: at.id, zone: zone.id, family: family.family, body };
}

function list(call: ScopedCall, { family, narrowings }: PlainFamily): Answer | Refusal {
  const bounds = { min: 1, max: 1000, standard: 20 };
  return (
    servicesProblem(call, 'Read') ??
    listPage(call, objectsOf(call.service.store, zoneOf(call), family), {
      bounds,
      narrowings,
      show: showObject,
    })
  );
}

function get(call: ScopedCall, { family }: PlainFamily): Answer | Refusal {
  const found = servicesProblem(call, 'Read') ?? findObject(call, family);
  return isRefusal(found) ? found : result(showObject(found));
}

function create(call: ScopedCall, family: PlainFamily): Answer | Refusal {
  const body = servicesProblem(call, 'Write') ?? decodeBody(call, family.body);
  if (isRefusal(body)) {
    return body;
  }
  const zone = zoneOf(call);
  const { store, stamp, newId } = call.service;
  const problem = family.problem(body);
  if (problem !== undefined) {
    return problem;
  }
  if (objectsOf(store, zone, family.family).length >= oldQuota(zone, family.family)) {
    return refuse(400, serviceError(family.quotaMessage));
  }
  const made = newObject(family, zone, { id: newId(), stamp: stamp(), body });
  store.zoneObjects.set(made.id, made);
  return result(showObject(made));
}

function put(call: ScopedCall, family: PlainFamily): Answer | Refusal {
  const found = servicesProblem(call, 'Write') ?? findObject(call, family.family);
  if (isRefusal(found)) {
    return found;
  }
  const body = decodeBody(call, family.body);
  if (isRefusal(body)) {
    return body;
  }
  const problem = family.problem(body);
  if (problem !== undefined) {
    return problem;
  }
  const at = { stamp: call.service.stamp(), before: found.body };
  const changed: ZoneObject = { ...found, body: family.fill(body, at) };
  call.service.store.zoneObjects.set(changed.id, changed);
  return result(showObject(changed));
}

function remove(call: ScopedCall, { family }: PlainFamily): Answer | Refusal {
  const found = servicesProblem(call, 'Write') ?? findObject(call, family);
  if (isRefusal(found)) {
    return found;
  }
  call.service.store.zoneObjects.delete(found.id);
  return result({ id: found.id });
}
