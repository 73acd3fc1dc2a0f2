import type { WireObject } from '../protocol/wire-object.ts';
import type { StoredDocument } from '../records/document-record.ts';
import type { Store } from './store.ts';

/** Returns the key of a group's document. */
export function documentKey(group: string, id: string): string {
  return `${group}/${id}`;
}

/** Stores a value as the document of a group with an id; returns the document. */
export function keepDocument(
  { documents }: Pick<Store, 'documents'>,
  { group, id }: Pick<StoredDocument, 'group' | 'id'>,
  value: WireObject,
): StoredDocument {
  const document = { key: documentKey(group, id), group, id, value };
  documents.set(document.key, document);
  return document;
}
