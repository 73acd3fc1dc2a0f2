import type { JsonObject } from '../protocol/json.ts';

/** The families of objects that have an owner and are in no ruleset. */
export type FamilyName =
  | 'rate_limits'
  | 'page_rules'
  | 'lockdowns'
  | 'ua_rules'
  | 'access_rules'
  | 'dns_records'
  | 'detections';

/** An object of one of these families: its id, and the rest as answers show it. */
export interface ZoneObject {
  readonly id: string;
  /** The id of the owner: a zone, and for access rules also an account or a user. */
  readonly zone: string;
  readonly family: FamilyName;
  readonly body: JsonObject;
}

/** Returns the group in the store for an owner's objects of one family. */
export function groupOf({ zone, family }: Pick<ZoneObject, 'zone' | 'family'>): string {
  return `${zone}/${family}`;
}
