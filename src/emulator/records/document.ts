import type { JsonObject } from '../protocol/json.ts';

/** An object of a family that is here only because something about it is retired: DNS records, settings and others. */
export interface StoredDocument {
  /** Unique in the store: group and id. */
  readonly key: string;
  /** Owner and family, such as `zones/<id>/dns_records`. */
  readonly group: string;
  readonly id: string;
  readonly value: JsonObject;
}
