import { DEPRECATIONS } from '../../model/index.ts';
import type { AffectedRoute, Deprecation } from '../../model/index.ts';
import { readObject } from '../call/call.ts';
import type { Call } from '../call/call.ts';
import type { WireObject } from '../protocol/json.ts';
import type { Answer, Method } from '../protocol/answer.ts';
import { refuse } from '../protocol/refusal.ts';
import { plainRoute } from '../call/route.ts';
import type { Route } from '../call/route.ts';
import { checkNotGone, inEffect } from '../environment/clock.ts';
import { textAt } from '../protocol/json.ts';
import { result } from '../protocol/answer.ts';
import { findDocument, keepDocument } from '../store/document.ts';

/** A route of the deprecation registry: its method, and the path of its objects as the registry writes it. */
interface PlainPlace {
  readonly method: Method;
  readonly family: string;
}

/** The names that routes use for the scope parameters of the registry. */
const SCOPES: Readonly<Record<string, string>> = { zone_id: 'zone', account_id: 'account' };

/** Answers a route for a list: GET shows its objects, any other method adds one. */
function answerList(call: Call, { method, family }: PlainPlace, body: WireObject): Answer {
  const group = groupOf(call, family);
  return method === 'GET'
    ? result(call.service.store.documents.group(group).map(({ value }) => value))
    : keep(call, group, textAt(body, 'id') ?? call.service.newId(), body);
}

/** Answers a route for an object of a list: POST and PUT store it, PATCH changes it, DELETE answers with its id. */
function answerItem(call: Call, { method, family }: PlainPlace, body: WireObject): Answer {
  const group = groupOf(call, family.slice(0, family.lastIndexOf('/')));
  const id = call.params[/\{(\w+)\}$/u.exec(family)?.[1] ?? ''] ?? '';
  const found = findDocument(call.service.store, group, id);
  if (method === 'POST' || method === 'PUT') {
    return keep(call, group, id, body);
  }
  if (found === undefined) {
    throw refuse(404, `could not find ${id}`);
  }
  if (method === 'DELETE') {
    call.service.store.documents.delete(found.key);
    return result({ id });
  }
  return method === 'GET' ? result(found.value) : keep(call, group, id, { ...found.value, ...body });
}

/** Answers a route for a single document: shows what was written to it, and is empty before. */
function answerSingle(call: Call, { method, family }: PlainPlace, body: WireObject): Answer {
  const group = groupOf(call, family);
  const found = findDocument(call.service.store, group, 'it')?.value ?? {};
  return method === 'GET' ? result(found) : keep(call, group, 'it', { ...found, ...body });
}

function keep(call: Call, group: string, id: string, body: WireObject): Answer {
  return result(keepDocument(call.service.store, { group, id }, { ...body, id }).value);
}

/** Returns the store's group for a family: its path with the ids of the call. */
function groupOf(call: Call, path: string): string {
  return path
    .slice(1)
    .replaceAll(/\{(\w+)\}/gu, (_, name: string) => call.params[SCOPES[name] ?? name] ?? '');
}

/** The deprecations whose routes no other module implements; they do just enough to show the effect of their dates. */
const PLAIN = [
  'access-bookmarks',
  'access-self-hosted-domains',
  'billing',
  'custom-ns-availability',
  'dns-analytics',
  'gateway-audit-ssh',
  'images-direct-upload',
  'legacy-tunnels',
  'load-balancing-notification-email',
  'organizations',
  'radar-attack-top',
  'radar-verified-bots',
  'registrar-domains',
  'script-monitor',
  'workers-kv-namespaces',
  'zero-trust-devices',
  'zone-analytics',
];

/** Whether a deprecation with the effect `refused` declines a body. */
const REFUSED: Readonly<Record<string, (body: WireObject) => boolean>> = {
  'gateway-audit-ssh': (body) => body['action'] === 'audit_ssh',
};

/**
 * Routes generated from the registry: lists, objects and single documents that store what they are given, below zones,
 * accounts, users and organizations. The credential must reach a zone or account in the path.
 */
export const plainFamilyRoutes: readonly Route[] = DEPRECATIONS.filter(({ id }) =>
  PLAIN.includes(id),
).flatMap((row) => row.affects.flatMap((route) => routesOf(row, route)));

function routesOf(row: Deprecation, route: AffectedRoute): readonly Route[] {
  const { effect } = row;
  const paths =
    effect.kind === 'renamed' ? [route.path, route.path.replace(effect.from, effect.to)] : [route.path];
  const family = paths.at(-1) ?? route.path;
  const siblings = row.affects.map(({ path }) => path);
  return paths.flatMap((path) =>
    route.methods.map((method) =>
      makeRoute(method, routePath(path), handlerOf(row, { method, family, siblings, route })),
    ),
  );
}

function makeRoute(method: Method, path: string, handle: (call: Call) => Answer): Route {
  return path.startsWith('/zones/:zone') || path.startsWith('/accounts/:account')
    ? { kind: 'scoped', method, path, dryRun: 'unknown', handle }
    : plainRoute(method, path, handle);
}

interface Place extends PlainPlace {
  readonly siblings: readonly string[];
  readonly route: AffectedRoute;
}

function handlerOf(row: Deprecation, place: Place): (call: Call) => Answer {
  const { route, siblings, method } = place;
  const parent = route.path.slice(0, route.path.lastIndexOf('/'));
  const work = siblings.some((path) => path.startsWith(`${route.path}/{`))
    ? answerList
    : siblings.includes(parent) && route.path.endsWith('}')
      ? answerItem
      : answerSingle;
  return (call) => {
    checkNotGone(call.service, row.id);
    const body = method === 'GET' || method === 'DELETE' ? {} : readObject(call);
    if (row.effect.kind === 'refused' && REFUSED[row.id]?.(body) === true && inEffect(call.service, row.id)) {
      throw refuse(400, `${row.subject}: ${row.effect.form} cannot be written any more`);
    }
    return work(call, place, body);
  };
}

/** Translates a path of the registry into a route's path: scopes are resolved, any other parameter may be any text. */
function routePath(path: string): string {
  return path.replaceAll(/\{(\w+)\}/gu, (_, name: string) => {
    const scope = SCOPES[name];
    return scope === undefined ? `:${name}{[^/]+}` : `:${scope}`;
  });
}
