import type { WireObject } from '../protocol/json.ts';

/** An object of a family that exists here only for its deprecations: DNS records, settings and others. */
export interface StoredDocument {
  /** Unique in the store; made of group and id. */
  readonly key: string;
  /** Owner and family, such as `zones/<id>/dns_records`. */
  readonly group: string;
  readonly id: string;
  readonly value: WireObject;
}
