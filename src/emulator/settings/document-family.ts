import { checkPermission, readBody } from '../call/call.ts';
import type { ScopedCall } from '../call/call.ts';
import { inAccounts, inZones } from '../call/route.ts';
import type { Route } from '../call/route.ts';
import type { ObjectShape } from '../decode/shape.ts';
import { empty, result } from '../protocol/answer.ts';
import { mergedObject } from '../protocol/json.ts';
import type { WireObject } from '../protocol/json.ts';
import { findDocument, keepDocument } from '../store/document.ts';
import type { Store } from '../store/store.ts';

/** A document of which each zone or account has one: where it is stored, what it is before anybody wrote it, and what a write makes of it. */
export interface DocumentRow {
  /** Where it is stored below its owner. */
  readonly path: string;
  /** Its name among the documents there; a path with one document has no names. */
  readonly name?: string;
  /** The document of an owner that has written none. */
  readonly standard: WireObject;
  /** Returns the document with the change of a body, or refuses it; by default, merges them. */
  readonly change?: (before: WireObject, body: WireObject, call: ScopedCall) => WireObject;
  /** Returns the answer for what is stored, if that is not the answer itself. */
  readonly show?: (value: WireObject, call: ScopedCall) => WireObject;
}

/** How such documents are read and written. */
export interface DocumentFamily {
  readonly path: string;
  /** Who has such a document; zones unless said. */
  readonly owner?: 'account';
  readonly permission: string;
  /** The methods that change what a body names; DELETE goes back to the default. */
  readonly writes: readonly ('PATCH' | 'PUT' | 'POST' | 'DELETE')[];
  readonly body: ObjectShape;
}

/** Makes the routes of a family; `rowOf` returns the document that a call is about, or refuses a name that does not exist. */
export function documentFamilyRoutes(
  family: DocumentFamily,
  rowOf: (call: ScopedCall) => DocumentRow,
): readonly Route[] {
  const make = family.owner === 'account' ? inAccounts : inZones;
  return [
    make('GET', family.path, (call) => {
      checkPermission(call, 'Read', [family.permission]);
      return result(showDocument(call, rowOf(call)));
    }),
    ...family.writes.map((method) =>
      make(method, family.path, (call) => {
        checkPermission(call, 'Write', [family.permission]);
        const row = rowOf(call);
        if (method === 'DELETE') {
          const { group, id } = keyOf(call.scope.owner, row);
          call.service.store.documents.delete(`${group}/${id}`);
          return empty();
        }
        changeDocument(call, row, readBody(call, family.body));
        return result(showDocument(call, row));
      }),
    ),
  ];
}

/** Changes a document by a body. */
export function changeDocument(call: ScopedCall, row: DocumentRow, body: WireObject): void {
  const { service, scope } = call;
  const { change = mergedObject } = row;
  const value = change(documentOf(service.store, scope.owner, row), body, call);
  keepDocument(service.store, keyOf(scope.owner, row), value);
}

/** Returns a document as answers show it. */
export function showDocument(call: ScopedCall, row: DocumentRow): WireObject {
  const value = documentOf(call.service.store, call.scope.owner, row);
  return row.show?.(value, call) ?? value;
}

/** Returns a document of an owner as it is stored. */
export function documentOf(store: Store, owner: string, row: DocumentRow): WireObject {
  const { group, id } = keyOf(owner, row);
  return { ...row.standard, ...findDocument(store, group, id)?.value };
}

/** Returns where a document is stored. */
export function keyOf(
  owner: string,
  { path, name = 'it' }: DocumentRow,
): { readonly group: string; readonly id: string } {
  return { group: owner + path, id: name };
}
