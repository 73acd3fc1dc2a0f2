import { DEPRECATIONS } from '../../model/index.ts';
import type { AffectedRoute, Deprecation } from '../../model/index.ts';
import type { Route } from '../call/route.ts';
import { inEffect } from '../environment/service-clock.ts';
import type { Method } from '../protocol/answer.ts';
import type { WireObject } from '../protocol/wire-object.ts';
import { refuse } from '../protocol/refusal.ts';
import {
  createDocument,
  deleteDocument,
  familyRoute,
  getDocument,
  listDocuments,
  merge,
  mergedMembers,
  replaced,
} from './family.ts';
import type { Family, FamilyWork } from './family.ts';

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

const OWNERS = [
  ['zone', '/zones/{zone_id}'],
  ['account', '/accounts/{account_id}'],
  ['nobody', ''],
] as const;

/**
 * Routes generated from the registry: collections and single documents that keep what they are sent, below zones, accounts, users and
 * organizations. The credential must reach a zone or account in the path.
 */
export const retiredFamilyRoutes: readonly Route[] = DEPRECATIONS.filter(({ id }) =>
  PLAIN.includes(id),
).flatMap((row) => row.affects.flatMap((route) => routesOf(row, route)));

function routesOf(row: Deprecation, { path, methods }: AffectedRoute): readonly Route[] {
  const { effect } = row;
  const newer = effect.kind === 'renamed' ? path.replace(effect.from, effect.to) : path;
  const paths = row.affects.map((each) => each.path);
  const parent = path.slice(0, path.lastIndexOf('/'));
  const part = paths.some((each) => each.startsWith(`${path}/{`))
    ? 'list'
    : paths.includes(parent) && path.endsWith('}')
      ? 'item'
      : 'document';
  return [...new Set([path, newer])].flatMap((served) => {
    const [owner, prefix] = OWNERS.find(([, start]) => served.startsWith(start)) ?? OWNERS[2];
    const below = (template: string): string => routePath(template.slice(prefix.length));
    const collection = part === 'item' ? newer.slice(0, newer.lastIndexOf('/')) : newer;
    const family: Family = {
      path: below(served),
      storedAt: below(collection),
      holds: part === 'document' ? 'document' : 'collection',
      writes: {},
      upserts: true,
      item: part === 'item' ? (below(served).split('/:').at(-1) ?? '') : '',
      ends: row.id,
      fill: (sent, { service }) => {
        if (effect.kind === 'refused' && REFUSED[row.id]?.(sent) === true && inEffect(service, row.id)) {
          throw refuse(400, `${row.subject}: ${effect.form} cannot be written any more`);
        }
        return sent;
      },
    };
    return methods.map((method) =>
      familyRoute(family, owner, { method, path: family.path, work: workOf(part, method) }),
    );
  });
}

function workOf(part: 'list' | 'item' | 'document', method: Method): FamilyWork {
  if (part === 'list') {
    return method === 'GET' ? listDocuments : createDocument;
  }
  switch (method) {
    case 'GET':
      return getDocument;
    case 'DELETE':
      return deleteDocument;
    default:
      return merge(part === 'item' && method !== 'PATCH' ? replaced : mergedMembers);
  }
}

/** Translates a path of the registry into a route's path: its parameters may be any text. */
function routePath(path: string): string {
  return path.replaceAll(/\{(\w+)\}/gu, ':$1{[^/]+}');
}
