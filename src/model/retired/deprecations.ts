import { compareText } from '../../text/index.ts';
import { DEPRECATIONS_OF_ZONES } from './deprecations-zones.ts';
import { LATER_DEPRECATIONS } from './deprecations-later.ts';
import type { Deprecation } from './deprecation.ts';
import { deprecation, routes } from './deprecation.ts';

const ORGANIZATION = '/organizations/{organization_id}';
const ONE = ['GET', 'PATCH', 'DELETE'] as const;

/** Rows of specification 9 about accounts, users, organizations and the protocol. */
const DEPRECATIONS_OF_ACCOUNTS: readonly Deprecation[] = [
  deprecation({
    id: 'account-nameservers',
    subject: 'Account settings fields default_nameservers, use_account_custom_ns_by_default',
    change: 'Deprecated; replaced by zone_defaults.nameservers.type of the DNS settings.',
    date: '2025-03-14',
    affects: [...routes(['GET', 'POST'], '/accounts'), ...routes(['GET', 'PUT'], '/accounts/{account_id}')],
    fields: ['settings.default_nameservers', 'settings.use_account_custom_ns_by_default'],
    replacement: 'zone_defaults.nameservers.type of the DNS settings, /accounts/{account_id}/dns_settings',
    effect: {
      kind: 'mirrored',
      field: 'zone_defaults.nameservers.type',
      values: [
        ['cloudflare.standard', 'cloudflare.standard'],
        ['cloudflare.standard.random', 'cloudflare.standard.random'],
        ['custom.account', 'custom.account'],
        ['custom.tenant', 'custom.tenant'],
      ],
    },
    sources: ['specification 9', 'api.md 12.1'],
  }),
  deprecation({
    id: 'legacy-tunnels',
    subject: 'Legacy tunnel API',
    change: 'Deprecated; replaced by the tunnel API.',
    date: '2024-02-04',
    affects: [
      ...routes(['GET', 'POST'], '/accounts/{account_id}/tunnels'),
      ...routes(['GET', 'DELETE'], '/accounts/{account_id}/tunnels/{tunnel_id}'),
    ],
    replacement: 'the tunnel API, /accounts/{account_id}/cfd_tunnel',
  }),
  deprecation({
    id: 'draft-chacha20',
    subject: 'Legacy draft ChaCha20 TLS cipher suites',
    change: 'End of life; not exposed through the API; to be removed in the first quarter of 2024.',
    date: '2023-07-01',
  }),
  deprecation({
    id: 'transfer-encoding-with-content-length',
    subject: 'Transfer-Encoding with Content-Length',
    change: 'Requests with both headers are declined.',
    date: '2023-07-01',
    fields: ['Transfer-Encoding', 'Content-Length'],
    effect: { kind: 'refused', form: 'a request with both headers' },
  }),
  deprecation({
    id: 'billing',
    subject: 'Billing profile and history',
    change: 'Deprecated; no replacement.',
    date: '2023-06-06',
    affects: routes(
      ['GET'],
      '/accounts/{account_id}/billing/profile',
      '/user/billing/profile',
      '/user/billing/history',
    ),
  }),
  deprecation({
    id: 'load-balancing-notification-email',
    subject: 'Load balancing field notification_email',
    change: 'Deprecated; moved to a centralized notification service.',
    date: '2023-04-03',
    affects: [
      ...routes(['GET', 'POST'], '/accounts/{account_id}/load_balancers/pools'),
      ...routes(['GET', 'PUT', 'PATCH'], '/accounts/{account_id}/load_balancers/pools/{pool_id}'),
    ],
    fields: ['notification_email'],
    replacement: 'the notification service',
    effect: { kind: 'fields', answers: 'kept', requests: 'taken' },
  }),
  deprecation({
    id: 'access-bookmarks',
    subject: 'Access bookmark applications',
    change: 'Deprecated; use the access application app-type API.',
    date: '2023-03-19',
    affects: [
      ...routes(['GET'], '/accounts/{account_id}/access/bookmarks'),
      ...routes(['GET', 'POST', 'PUT', 'DELETE'], '/accounts/{account_id}/access/bookmarks/{uuid}'),
    ],
    replacement: 'the access application app-type API, /accounts/{account_id}/access/apps',
  }),
  deprecation({
    id: 'images-direct-upload',
    subject: 'Image direct upload v1',
    change: 'Deprecated in favour of v2 (metadata, access policy, image ID).',
    date: '2022-07-01',
    affects: routes(['POST'], '/accounts/{account_id}/images/v1/direct_upload'),
    replacement: 'POST /accounts/{account_id}/images/v2/direct_upload',
  }),
  deprecation({
    id: 'organizations',
    subject: 'Organizations',
    change: 'Deprecated; replaced by the accounts API.',
    date: '2020-04-02',
    affects: [
      ...routes(['GET', 'PATCH'], ORGANIZATION),
      ...routes(['GET', 'POST'], `${ORGANIZATION}/invites`, `${ORGANIZATION}/accelerators`),
      ...routes(
        ONE,
        `${ORGANIZATION}/invites/{id}`,
        `${ORGANIZATION}/members/{id}`,
        `${ORGANIZATION}/accelerators/{id}`,
      ),
      ...routes(
        ['GET'],
        `${ORGANIZATION}/members`,
        `${ORGANIZATION}/roles`,
        `${ORGANIZATION}/roles/{id}`,
        `${ORGANIZATION}/audit_logs`,
        `${ORGANIZATION}/accelerators/{id}/zones`,
      ),
    ],
    replacement: 'the accounts API, /accounts',
  }),
];

/** Everything that the service retires: the rows of specification 9, and those of api.md 12.1 that are newer or were postponed; newest date first. */
export const DEPRECATIONS: readonly Deprecation[] = [
  ...DEPRECATIONS_OF_ZONES,
  ...DEPRECATIONS_OF_ACCOUNTS,
  ...LATER_DEPRECATIONS,
].toSorted((a, b) => compareText(b.date, a.date) || compareText(a.id, b.id));

const BY_ID: ReadonlyMap<string, Deprecation> = new Map(DEPRECATIONS.map((row) => [row.id, row]));

/** Finds a row by id. */
export function findDeprecation(id: string): Deprecation | undefined {
  return BY_ID.get(id);
}
