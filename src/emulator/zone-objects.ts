import type { ScopedCall } from './call.ts';
import type { JsonObject } from './json.ts';
import { type Refusal, refuse, serviceError } from './protocol/refusal.ts';
import type { Zone } from './store/records.ts';
import type { Store } from './store/store.ts';

/** The families of old objects that stand by themselves in a zone (api.md 9.6, 9.7). */
export type ObjectFamily = 'rate_limits' | 'page_rules' | 'lockdowns' | 'ua_rules';

/** An object of such a family: its id, and everything else as answers show it. */
export interface ZoneObject {
  readonly id: string;
  /** The id of the zone. */
  readonly zone: string;
  readonly family: ObjectFamily;
  readonly body: JsonObject;
}

/** The group of a family's objects in the store. */
export function groupOf({ zone, family }: Pick<ZoneObject, 'zone' | 'family'>): string {
  return `${zone}/${family}`;
}

/** A zone's objects of one family, oldest first. */
export function objectsOf(store: Store, zone: Zone, family: ObjectFamily): readonly ZoneObject[] {
  return store.zoneObjects.group(groupOf({ zone: zone.id, family }));
}

/** The object that the path of a call names by `:object`. */
export function findObject(call: ScopedCall, family: ObjectFamily): ZoneObject | Refusal {
  const id = call.params['object'] ?? '';
  const found = call.service.store.zoneObjects.get(id);
  return found !== undefined && found.zone === zoneOf(call).id && found.family === family
    ? found
    : refuse(404, serviceError(`could not find ${NAMES[family]} with ID ${id}`));
}

/** An object as answers show it. */
export function showObject({ id, body }: ZoneObject): JsonObject {
  return { id, ...body };
}

/** The zone of a call below `/zones/:zone`. */
export function zoneOf(call: ScopedCall): Zone {
  if (call.scope.kind !== 'zone') {
    throw new Error('this operation stands below a zone only');
  }
  return call.scope.zone;
}

const NAMES: Readonly<Record<ObjectFamily, string>> = {
  rate_limits: 'rate limit',
  page_rules: 'page rule',
  lockdowns: 'zone lockdown rule',
  ua_rules: 'user agent rule',
};
