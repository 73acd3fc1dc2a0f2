import { boundsProblem } from './decode/bounds.ts';
import { decodeProblem } from './decode/decode.ts';
import { list, type ObjectShape } from './decode/shape.ts';
import { isDeeperThan, isObject, type JsonObject, withoutNulls } from './json.ts';
import { invalidHeader, malformedJson, notAuthorized } from './protocol/gateway-errors.ts';
import { isRefusal, type Refusal } from './protocol/refusal.ts';
import type { Service } from './service.ts';
import type { Account, Policy, User, Zone } from './store/records.ts';

/** Who asks: a user, by key (all rights) or by a token with policies. */
export interface Credential {
  readonly user: User;
  readonly token?: { readonly id: string; readonly policies: readonly Policy[] };
}

/** The zone or account that a path names. */
export type Scope =
  | { readonly kind: 'zone'; readonly owner: string; readonly zone: Zone; readonly account: Account }
  | { readonly kind: 'account'; readonly owner: string; readonly account: Account };

/** A zone as a scope. */
export function zoneScope(zone: Zone, account: Account): Scope {
  return { kind: 'zone', owner: `zones/${zone.id}`, zone, account };
}

/** An account as a scope. */
export function accountScope(account: Account): Scope {
  return { kind: 'account', owner: `accounts/${account.id}`, account };
}

/** One request on its way through the service, after authentication and routing. */
export interface Call {
  readonly service: Service;
  readonly credential: Credential;
  readonly query: URLSearchParams;
  /** The variable parts of the path. */
  readonly params: Readonly<Record<string, string>>;
  readonly contentType: string | undefined;
  readonly bodyText: string;
}

/** A call to something inside a zone or account. */
export interface ScopedCall extends Call {
  readonly scope: Scope;
}

/** Deepest nesting that the decoder follows; deeper bodies are malformed (limit assumed). */
const DEEPEST = 64;

/** Reads the body as JSON, with null members taken as absent. */
function readJson(call: Call): { readonly value: unknown } | Refusal {
  if (!/^application\/json(?:\s*;|$)/iu.test(call.contentType?.trim() ?? '')) {
    return invalidHeader('contentType');
  }
  const parsed = parse(call.bodyText);
  return parsed === undefined || isDeeperThan(parsed.value, DEEPEST)
    ? malformedJson()
    : { value: withoutNulls(parsed.value) };
}

/** Reads the body as one object of a known shape, strictly. */
export function decodeBody(call: Call, shape: ObjectShape): JsonObject | Refusal {
  const body = readJson(call);
  if (isRefusal(body)) {
    return body;
  }
  const problem = decodeProblem(shape, body.value);
  if (problem !== undefined) {
    return problem;
  }
  return isObject(body.value) ? body.value : malformedJson();
}

/** Reads the body as one object of a known shape, strictly, within the bounds of the shape. */
export function readBody(call: Call, shape: ObjectShape): JsonObject | Refusal {
  const body = decodeBody(call, shape);
  return isRefusal(body) ? body : (boundsProblem(shape, body, '') ?? body);
}

/** Reads the body as one object, whatever its members are: for families that are not decoded strictly. */
export function readObject(call: Call): JsonObject | Refusal {
  const body = readJson(call);
  if (isRefusal(body)) {
    return body;
  }
  return isObject(body.value) ? body.value : malformedJson();
}

/** Reads the body as a list of one shape, strictly. */
export function decodeList(call: Call, shape: ObjectShape): readonly JsonObject[] | Refusal {
  const body = readJson(call);
  if (isRefusal(body)) {
    return body;
  }
  const problem = decodeProblem(list(shape), body.value);
  if (problem !== undefined) {
    return problem;
  }
  return Array.isArray(body.value) ? body.value.filter(isObject) : malformedJson();
}

/** The policies of a token that hold in a scope; undefined for a key, which has all rights. */
function policiesIn({ token }: Credential, scope: Scope): readonly Policy[] | undefined {
  const ids = scope.kind === 'zone' ? [scope.zone.id, scope.account.id] : [scope.account.id];
  return token?.policies.filter(({ resources }) => resources.some((id) => id === '*' || ids.includes(id)));
}

/** Whether a credential has any right at all in a scope. */
export function reaches(credential: Credential, scope: Scope): boolean {
  return policiesIn(credential, scope)?.length !== 0;
}

/** Whether a credential holds any of the permission groups in a scope. */
function permits(credential: Credential, scope: Scope, groups: readonly string[]): boolean {
  const policies = policiesIn(credential, scope);
  return (
    policies === undefined ||
    policies.some(({ permissions }) => permissions.some((name) => name === '*' || groups.includes(name)))
  );
}

/** The refusal of a call whose credential lacks all of the groups. */
export function permissionProblem(call: ScopedCall, groups: readonly string[]): Refusal | undefined {
  return permits(call.credential, call.scope, groups) ? undefined : notAuthorized();
}

function parse(text: string): { readonly value: unknown } | undefined {
  try {
    const value: unknown = JSON.parse(text);
    return { value };
  } catch {
    return undefined;
  }
}
