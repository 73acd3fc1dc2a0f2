import type { JsonObject } from '../json.ts';
import type { Store } from '../store/store.ts';

/** An object of a family that is here only because something about it is retired: DNS records, settings and others. */
export interface StoredDocument {
  /** Unique in the store: group and id. */
  readonly key: string;
  /** Owner and family, such as `zones/<id>/dns_records`. */
  readonly group: string;
  readonly id: string;
  readonly value: JsonObject;
}

/** The document of a group with an id. */
export function findDocument({ documents }: Store, group: string, id: string): StoredDocument | undefined {
  return documents.get(`${group}/${id}`);
}

/** Keeps a value as the document of a group with an id. */
export function keepDocument(
  { documents }: Store,
  { group, id }: Pick<StoredDocument, 'group' | 'id'>,
  value: JsonObject,
): StoredDocument {
  const document = { key: `${group}/${id}`, group, id, value };
  documents.set(document.key, document);
  return document;
}
