import { DEPRECATIONS } from '../../model/retired/deprecations.ts';
import type { AffectedRoute, Deprecation } from '../../model/retired/deprecation.ts';
import { readObject } from '../call/call.ts';
import type { Call } from '../call/call.ts';
import type { JsonObject } from '../protocol/json.ts';
import type { Answer } from '../protocol/answer.ts';
import { refuse } from '../protocol/refusal.ts';
import { plainRoute } from '../call/route.ts';
import type { Route } from '../call/route.ts';
import type { Method } from '../protocol/method.ts';
import { checkNotGone, inEffect } from '../environment/in-effect.ts';
import { answerItem, answerList, answerSingle, SCOPES } from './plain-documents.ts';
import type { PlainPlace } from './plain-documents.ts';

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
const REFUSED: Readonly<Record<string, (body: JsonObject) => boolean>> = {
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
