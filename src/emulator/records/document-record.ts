import type { WireObject } from '../protocol/wire-object.ts';

/** A document of a family: an object by its id, or the one that an owner has. */
export interface StoredDocument {
  /** Unique in the store; made of group and id. */
  readonly key: string;
  /** Owner and path of the family, such as `zones/<id>/dns_records`. */
  readonly group: string;
  readonly id: string;
  readonly value: WireObject;
}
