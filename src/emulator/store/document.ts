import type { WireObject } from '../protocol/json.ts';
import type { Store } from './store.ts';
import type { StoredDocument } from '../records/document.ts';

/** Finds the document of a group by its id. */
export function findDocument({ documents }: Store, group: string, id: string): StoredDocument | undefined {
  return documents.get(`${group}/${id}`);
}

/** Stores a value as the document of a group with an id; returns the document. */
export function keepDocument(
  { documents }: Store,
  { group, id }: Pick<StoredDocument, 'group' | 'id'>,
  value: WireObject,
): StoredDocument {
  const document = { key: `${group}/${id}`, group, id, value };
  documents.set(document.key, document);
  return document;
}
