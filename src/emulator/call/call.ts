import { checkBounds } from '../decode/bounds.ts';
import { checkForm } from '../decode/decode.ts';
import { list, opaque } from '../decode/body-shape.ts';
import type { ObjectShape, Unbounded } from '../decode/body-shape.ts';
import { isDeeperThan, isObject, parsedJson, pointerStep, withoutNulls } from '../protocol/wire-object.ts';
import type { WireObject } from '../protocol/wire-object.ts';
import { invalidHeader, malformedJson, notAuthorized, decline } from '../protocol/refusal.ts';
import type { Account, Policy, User, Zone } from '../records/directory-record.ts';
import type { EmulatedService } from './service.ts';

/** Who makes a request: a user with a key (all rights), or with a token and its policies. */
export interface Credential {
  readonly user: User;
  readonly token?: { readonly id: string; readonly name?: string; readonly policies: readonly Policy[] };
}

/** The zone or account that a path names. */
export type CallScope = ZoneScope | AccountScope;

/** A zone, with the account that it belongs to. */
export interface ZoneScope {
  readonly kind: 'zone';
  readonly owner: string;
  readonly zone: Zone;
  readonly account: Account;
}

interface AccountScope {
  readonly kind: 'account';
  readonly owner: string;
  readonly account: Account;
}

/** Who has the documents of a family: a zone, an account, a user, or nobody in particular. */
export type FamilyScope =
  | CallScope
  | { readonly kind: 'user'; readonly owner: string; readonly user: User }
  | { readonly kind: 'nobody'; readonly owner: '' };

/** Returns the scope of a zone. */
export function zoneScope(zone: Zone, account: Account): ZoneScope {
  return { kind: 'zone', owner: `zones/${zone.id}`, zone, account };
}

/** Returns the scope of an account. */
export function accountScope(account: Account): AccountScope {
  return { kind: 'account', owner: `accounts/${account.id}`, account };
}

/** One request on its way through the service, after authentication and routing. */
export interface Call {
  readonly service: EmulatedService;
  readonly credential: Credential;
  readonly query: URLSearchParams;
  /** The values of the path parameters, by name. */
  readonly params: Readonly<Record<string, string>>;
  readonly contentType: string | undefined;
  readonly bodyText: string;
}

/** A call to an operation inside a zone or account. */
export interface ScopedCall extends Call {
  readonly scope: CallScope;
}

/** Returns the zone of a call below `/zones/:zone`; throws for any other call. */
export function zoneOf({ scope }: { readonly scope: FamilyScope }): Zone {
  if (scope.kind !== 'zone') {
    throw new Error('this operation stands below a zone only');
  }
  return scope.zone;
}

/** The deepest nesting that the decoder follows; a deeper body counts as malformed (limit assumed). */
const DEEPEST = 64;

/** Reads the body as JSON; null members count as absent. */
function readJson(call: Call): unknown {
  if (!/^application\/json(?:\s*;|$)/iu.test(call.contentType?.trim() ?? '')) {
    throw invalidHeader('contentType');
  }
  const value = parsedJson(call.bodyText);
  if (value === undefined || isDeeperThan(value, DEEPEST)) {
    throw malformedJson();
  }
  return withoutNulls(value);
}

/** Reads the body as one object of a known shape. Refuses unknown fields and wrong types, but does not check bounds. */
export function decodeBody<Value>(call: Call, shape: ObjectShape<Value>): WireObject & Unbounded<Value> {
  return decoded(shape, readJson(call));
}

/** Reads the body as one object of a known shape. Refuses unknown fields, wrong types and values out of bounds. */
export function readBody<Value>(call: Call, shape: ObjectShape<Value>): WireObject & Value {
  const body = decodeBody(call, shape);
  checkBounds(shape, body, '');
  return body;
}

/** Reads the body as one object with any members, for families that are not decoded strictly. */
export function readObject(call: Call): WireObject {
  const body = readJson(call);
  return isObject(body) ? body : decline(malformedJson());
}

/** Reads the body as a list of objects of one shape. Refuses unknown fields and wrong types, but does not check bounds. */
export function decodeList<Value>(
  call: Call,
  shape: ObjectShape<Value>,
): readonly (WireObject & Unbounded<Value>)[] {
  const body = readJson(call);
  checkForm(list(opaque), body);
  return body.map((item, index) => decoded(shape, item, pointerStep(index)));
}

function decoded<Value>(
  shape: ObjectShape<Value>,
  value: unknown,
  at?: string,
): WireObject & Unbounded<Value> {
  checkForm(shape, value, at);
  return isObject(value) ? value : decline(malformedJson());
}

/** Returns a path parameter; the route guarantees that it is there. */
export function param(call: Call, name: string): string {
  return call.params[name] ?? '';
}

/** Returns the policies of a token that apply to a scope; undefined for a key, which has all rights. */
function policiesIn({ token }: Credential, scope: CallScope): readonly Policy[] | undefined {
  const ids = scope.kind === 'zone' ? [scope.zone.id, scope.account.id] : [scope.account.id];
  return token?.policies.filter(({ resources }) => resources.some((id) => id === '*' || ids.includes(id)));
}

/** Whether a credential has any right at all in a scope. */
export function reaches(credential: Credential, scope: CallScope): boolean {
  return policiesIn(credential, scope)?.length !== 0;
}

/** Whether a credential has at least one of the permission groups in a scope. */
function permits(credential: Credential, scope: CallScope, groups: readonly string[]): boolean {
  const policies = policiesIn(credential, scope);
  return (
    policies === undefined ||
    policies.some(({ permissions }) => permissions.some((name) => name === '*' || groups.includes(name)))
  );
}

/** What a call needs to do; the `Write` permission includes `Read`. */
export type Access = 'Read' | 'Write';

/** Refuses a call whose credential has none of the permission groups, named without their suffix ` Read` or ` Write`. */
export function checkPermission(call: ScopedCall, access: Access, names: readonly string[]): void {
  const groups = names.flatMap((name) =>
    access === 'Read' ? [`${name} Read`, `${name} Write`] : [`${name} Write`],
  );
  if (!permits(call.credential, call.scope, groups)) {
    throw notAuthorized();
  }
}

/** Refuses a token that has not all rights; for what belongs to the user, or makes a new account (assumed). */
export function checkAllRights({ credential: { token } }: Call): void {
  const all = (words: readonly string[]): boolean => words.includes('*');
  if (token?.policies.some(({ permissions, resources }) => all(permissions) && all(resources)) === false) {
    throw notAuthorized();
  }
}
