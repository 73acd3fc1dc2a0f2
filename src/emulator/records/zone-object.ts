import type { JsonObject } from '../protocol/json.ts';

/** The families of old objects that belong to a zone and to nothing else (api.md 9.6, 9.7). */
export type FamilyName = 'rate_limits' | 'page_rules' | 'lockdowns' | 'ua_rules';

/** An object of one of these families: its id, and the rest as answers show it. */
export interface ZoneObject {
  readonly id: string;
  /** The id of the zone. */
  readonly zone: string;
  readonly family: FamilyName;
  readonly body: JsonObject;
}

/** Returns the group in the store for a zone's objects of one family. */
export function groupOf({ zone, family }: Pick<ZoneObject, 'zone' | 'family'>): string {
  return `${zone}/${family}`;
}
