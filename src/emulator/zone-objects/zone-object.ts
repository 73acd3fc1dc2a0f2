import type { JsonObject } from '../protocol/json.ts';
import type { Store } from '../store/store.ts';
import type { FamilyName, ZoneObject } from '../records/zone-object.ts';
import { groupOf } from '../records/zone-object.ts';

/** Returns an owner's objects of one family, oldest first. */
export function objectsOf(
  store: Store,
  owner: { readonly id: string },
  family: FamilyName,
): readonly ZoneObject[] {
  return store.zoneObjects.group(groupOf({ zone: owner.id, family }));
}

/** Shows an object as in answers. */
export function showObject({ id, body }: ZoneObject): JsonObject {
  return { id, ...body };
}
