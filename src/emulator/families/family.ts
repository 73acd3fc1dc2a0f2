import { checkAllRights, checkPermission, param, readBody, readObject } from '../call/call.ts';
import type { Access, Call, FamilyScope, ScopedCall } from '../call/call.ts';
import { inAccounts, inZones, plainRoute } from '../call/route.ts';
import type { Route } from '../call/route.ts';
import type { EmulatedService } from '../call/service.ts';
import { opaque } from '../decode/body-shape.ts';
import type { ObjectShape } from '../decode/body-shape.ts';
import { checkNotGone } from '../environment/service-clock.ts';
import { narrowedList } from '../listing/list-page.ts';
import type { Narrowings } from '../listing/list-page.ts';
import { empty, result } from '../protocol/answer.ts';
import type { Answer, Method } from '../protocol/answer.ts';
import type { WireObject } from '../protocol/wire-object.ts';
import { decline, notFound } from '../protocol/refusal.ts';
import type { Refusal } from '../protocol/refusal.ts';
import type { ZonePlanLevel } from '../records/directory-record.ts';
import type { StoredDocument } from '../records/document-record.ts';
import { documentKey, keepDocument } from '../store/document-store.ts';

/** Whose documents are meant, and the service as far as families need it. */
export interface FamilyContext {
  readonly service: Pick<EmulatedService, 'clock' | 'store'>;
  readonly scope: FamilyScope;
  readonly params?: Readonly<Record<string, string>>;
}

/** A call to an operation of a family. */
export interface FamilyCall extends Call {
  readonly scope: FamilyScope;
}

/** What a row needs besides what was sent, to make of it what is stored. */
export interface FillContext extends FamilyContext {
  readonly stamp: string;
  /** The document before the write; undefined for a new one. */
  readonly before: WireObject | undefined;
  /** The owner's other documents of a collection. */
  readonly others: readonly StoredDocument[];
}

/** Returns what a write sends, from the document before it and the body. */
type MergeRule = (before: WireObject, body: WireObject) => WireObject;

/** What is stored and shown of a document. */
export interface DocumentRow {
  /** Where it is stored below its owner, if not at the path of the family. */
  readonly storedAt?: string;
  /** Its name among the documents there; a path with one document has no names. */
  readonly name?: string;
  /** What a document has where nothing was written. */
  readonly standard?: WireObject;
  /** The form of bodies; absent: any object. */
  readonly body?: ObjectShape;
  /** Returns what is stored for what was sent, which has the form of the body; refuses what is not valid. */
  readonly fill?: (sent: WireObject, at: FillContext) => WireObject;
  /** Returns what answers show of what is stored, if that is not all. */
  readonly show?: (value: WireObject, at: FamilyContext) => WireObject;
  /** The deprecation that ends it. */
  readonly ends?: string;
}

/** A family of the interface that keeps what it is sent: one row of a table, from which its operations follow. */
export interface Family extends DocumentRow {
  /** Below the owner. */
  readonly path: string;
  /** Who has such documents; zones only unless said. */
  readonly owners?: readonly FamilyScope['kind'][];
  /** `collection`: documents by id, as many as are made; `document`: one. */
  readonly holds: 'collection' | 'document';
  /** The permission groups that open it, or a check; absent: whoever reaches the owner. The user's own documents need all rights. */
  readonly access?: readonly string[] | ((call: ScopedCall, access: Access) => void);
  /** The methods that write, each with how the body is merged into the document; POST makes a new one in a collection. */
  readonly writes: Readonly<Partial<Record<'POST' | 'PUT' | 'PATCH', MergeRule>>>;
  /** Whether DELETE takes a document away, or back to its default. */
  readonly deletes?: true;
  /** Members that answers have and clients send back; writes ignore them. */
  readonly ignores?: readonly string[];
  /** Whether documents have `created_on` and `modified_on`. */
  readonly stamped?: true;
  /** Returns which of several documents a call is about; refuses what does not exist. */
  readonly document?: (call: FamilyCall) => DocumentRow;
  // Of collections only:
  /** The name of one document in error messages. */
  readonly noun?: string;
  /** The path parameter for the id; `object` unless said. */
  readonly item?: string;
  /** Whether a write to an id that does not exist makes it. */
  readonly upserts?: true;
  readonly quota?: FamilyQuota;
  /** Answers the list; all at once unless said. */
  readonly list?: ListFamily;
  /** The refusal of an id that does not exist. */
  readonly missing?: (id: string) => Refusal;
  /** The answer to a deletion; the id unless said. */
  readonly deleted?: (call: Call, id: string) => Answer;
}

type ListFamily = (
  call: FamilyCall,
  documents: readonly StoredDocument[],
  show: (document: StoredDocument) => WireObject,
) => Answer;

interface FamilyQuota {
  readonly max: Readonly<Record<ZonePlanLevel, number>>;
  /** Which calls are refused when a zone has too many: those that add one, or also changes. */
  readonly binds: 'additions' | 'all writes';
  readonly exceeded: (max: number) => Refusal;
}

/** The body is the whole document. */
export const replaced: MergeRule = (_, body) => body;

/** The body replaces the members that it names. */
export const mergedMembers: MergeRule = (before, body) => ({ ...before, ...body });

/** Lists in pages, narrowed by the query (api.md 1.3). */
export function paged(narrowings: Narrowings<StoredDocument>): ListFamily {
  return (call, documents, show) =>
    narrowedList(call, documents, { bounds: { min: 1, max: 1000, standard: 20 }, narrowings, show });
}

/** Makes the operations of a family. */
export function familyRoutes(family: Family): readonly Route[] {
  const { owners = ['zone'], path, holds, writes, deletes, item = 'object' } = family;
  const one = holds === 'collection' ? `${path}/:${item}` : path;
  const { POST, PUT, PATCH } = writes;
  return owners.flatMap((owner) => {
    const route = (method: Method, at: string, work: FamilyWork): Route =>
      familyRoute(family, owner, { method, path: at, work });
    return [
      ...(holds === 'collection' ? [route('GET', path, listDocuments)] : []),
      ...(POST === undefined
        ? []
        : [route('POST', path, holds === 'collection' ? createDocument : merge(POST))]),
      route('GET', one, getDocument),
      ...(PUT === undefined ? [] : [route('PUT', one, merge(PUT))]),
      ...(PATCH === undefined ? [] : [route('PATCH', one, merge(PATCH))]),
      ...(deletes === true ? [route('DELETE', one, deleteDocument)] : []),
    ];
  });
}

/** Answers a call to a family, whose access was checked. */
export type FamilyWork = (call: FamilyCall, family: Family) => Answer;

/** Makes the route of one operation of a family. */
export function familyRoute(
  family: Family,
  owner: FamilyScope['kind'],
  { method, path, work }: { readonly method: Method; readonly path: string; readonly work: FamilyWork },
): Route {
  const open = (call: FamilyCall): Answer => {
    const row = { ...family, ...family.document?.(call) };
    if (row.ends !== undefined) {
      checkNotGone(call.service, row.ends);
    }
    return work(call, row);
  };
  const checked = (call: ScopedCall): Answer => {
    checkAccess(family, call, method === 'GET' ? 'Read' : 'Write');
    return open(call);
  };
  switch (owner) {
    case 'zone':
      return inZones(method, path, checked);
    case 'account':
      return inAccounts(method, path, checked);
    case 'user':
      return plainRoute(method, `/user${path}`, (call) => {
        checkAllRights(call);
        const { user } = call.credential;
        return open({ ...call, scope: { kind: 'user', owner: `users/${user.id}`, user } });
      });
    default:
      return plainRoute(method, path, (call) => open({ ...call, scope: { kind: 'nobody', owner: '' } }));
  }
}

function checkAccess({ access: rule = [] }: Family, call: ScopedCall, access: Access): void {
  if (typeof rule === 'function') {
    rule(call, access);
  } else if (rule.length > 0) {
    checkPermission(call, access, rule);
  }
}

/** GET a collection. */
export const listDocuments: FamilyWork = (call, family) => {
  const documents = documentsOf(family, call);
  const show = (document: StoredDocument): WireObject => shown(family, call, document);
  return family.list?.(call, documents, show) ?? result(documents.map(show));
};

/** GET one document. */
export const getDocument: FamilyWork = (call, family) =>
  result(shown(family, call, findDocument(family, call) ?? decline(missing(family, call))));

/** Makes a document of a collection. */
export const createDocument: FamilyWork = (call, family) => {
  const sent = bodyIn(family, call);
  const document = { group: groupOf(family, call), id: call.service.newId() };
  return answerWrite(family, call, { document, sent, before: undefined });
};

/** Changes a document by a body. */
export function merge(rule: MergeRule): FamilyWork {
  return (call, family) => {
    const found = findDocument(family, call);
    if (found === undefined && family.upserts !== true) {
      throw missing(family, call);
    }
    const document = found ?? { group: groupOf(family, call), id: idIn(family, call) };
    const sent = rule(found?.value ?? {}, bodyIn(family, call));
    return answerWrite(family, call, { document, sent, before: found?.value });
  };
}

/** DELETE a document: of a collection for good, else back to its default. */
export const deleteDocument: FamilyWork = (call, family) => {
  const { key, id } = findDocument(family, call) ?? decline(missing(family, call));
  call.service.store.documents.delete(key);
  return family.deleted?.(call, id) ?? (family.holds === 'collection' ? result({ id }) : empty());
};

/** Returns a family's body with the members that it ignores. */
export function bodyOf(family: Family): ObjectShape | undefined {
  const { body } = family;
  const fields = Object.fromEntries(ignoredBy(family).map((name) => [name, opaque]));
  return body === undefined ? undefined : { ...body, fields: { ...fields, ...body.fields } };
}

function ignoredBy({ holds, ignores = [], stamped }: Family): readonly string[] {
  return [
    ...(holds === 'collection' ? ['id'] : []),
    ...(stamped === true ? ['created_on', 'modified_on'] : []),
    ...ignores,
  ];
}

function bodyIn(family: Family, call: FamilyCall): WireObject {
  const body = bodyOf(family);
  return body === undefined ? readObject(call) : readBody(call, body);
}

/** What is to be stored: where, what was sent, and what was there before. */
interface DocumentWrite {
  readonly document: Pick<StoredDocument, 'group' | 'id'>;
  readonly sent: WireObject;
  readonly before: WireObject | undefined;
}

function answerWrite(family: Family, call: FamilyCall, write: DocumentWrite): Answer {
  const written = writeDocument(family, call, write);
  const { quota } = family;
  const { scope } = call;
  if (
    quota !== undefined &&
    scope.kind === 'zone' &&
    (quota.binds === 'all writes' || write.before === undefined)
  ) {
    const max = quota.max[scope.zone.plan];
    if (documentsOf(family, call).length > max) {
      throw quota.exceeded(max);
    }
  }
  return result(shown(family, call, written));
}

/** Stores a document; refuses what is not valid. Quotas do not count: a seed may have more. */
export function writeDocument(
  family: Family,
  at: FamilyContext & { readonly service: { readonly stamp: () => string } },
  { document: { group, id }, sent, before }: DocumentWrite,
): StoredDocument {
  const { standard, fill, stamped, holds } = family;
  const others = holds === 'collection' ? documentsOf(family, at).filter((other) => other.id !== id) : [];
  const stamp = at.service.stamp();
  const ignored = ignoredBy(family);
  const kept = Object.entries({ ...standard, ...sent }).filter(([name]) => !ignored.includes(name));
  const whole = Object.fromEntries(kept);
  const value = fill?.(whole, { ...at, stamp, before, others }) ?? whole;
  const stamps = { created_on: before?.['created_on'] ?? stamp, modified_on: stamp };
  return keepDocument(at.service.store, { group, id }, stamped === true ? { ...value, ...stamps } : value);
}

/** Returns the documents of a collection, oldest first. */
export function documentsOf(family: Family, at: FamilyContext): readonly StoredDocument[] {
  return at.service.store.documents.group(groupOf(family, at));
}

/** Returns the only document of an owner as answers show it. */
export function shownDocument(family: Family, at: FamilyContext): WireObject {
  return shown(family, at, documentOf(family, at));
}

function findDocument(family: Family, call: FamilyCall): StoredDocument | undefined {
  return family.holds === 'document'
    ? documentOf(family, call)
    : call.service.store.documents.get(documentKey(groupOf(family, call), idIn(family, call)));
}

/** Returns the only document of an owner, or its default. */
export function documentOf(family: Family, at: FamilyContext): StoredDocument {
  const { name: id = 'it', standard } = family;
  const group = groupOf(family, at);
  const key = documentKey(group, id);
  return { key, group, id, value: { ...standard, ...at.service.store.documents.get(key)?.value } };
}

function idIn({ item = 'object' }: Family, call: FamilyCall): string {
  return param(call, item.replace(/\{.*$/u, ''));
}

function missing(family: Family, call: FamilyCall): Refusal {
  const id = idIn(family, call);
  return family.missing?.(id) ?? notFound(family.noun ?? 'object', id);
}

/** Returns the group in the store for a family's documents: its owner and path, with the ids of the call. */
export function groupOf({ path, storedAt = path }: Family, { scope, params = {} }: FamilyContext): string {
  const group =
    scope.owner + storedAt.replaceAll(/:(\w+)(?:\{[^}]*\})?/gu, (_, name: string) => params[name] ?? '');
  return group.replace(/^\//u, '');
}

function shown({ holds, show }: Family, at: FamilyContext, { id, value }: StoredDocument): WireObject {
  const all = show?.(value, at) ?? value;
  return holds === 'collection' ? { id, ...all } : all;
}
