import type { JsonObject } from '../protocol/json.ts';

/** The families of old objects that stand by themselves in a zone (api.md 9.6, 9.7). */
export type FamilyName = 'rate_limits' | 'page_rules' | 'lockdowns' | 'ua_rules';

/** An object of such a family: its id, and everything else as answers show it. */
export interface ZoneObject {
  readonly id: string;
  /** The id of the zone. */
  readonly zone: string;
  readonly family: FamilyName;
  readonly body: JsonObject;
}

/** The group of a family's objects in the store. */
export function groupOf({ zone, family }: Pick<ZoneObject, 'zone' | 'family'>): string {
  return `${zone}/${family}`;
}
