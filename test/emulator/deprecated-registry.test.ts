import { describe, expect, test } from 'vitest';

import { effectiveDate } from '../../src/model/retired/deprecation.ts';
import { DEPRECATIONS, findDeprecation } from '../../src/model/retired/deprecations.ts';
import { routes } from '../../src/emulator/interface/interface-routes.ts';

/** The rows of specification 9: id, date of the table (or the one that it was moved to), number of routes. */
const specification: readonly (readonly [subject: string, id: string, date: string, routes: number])[] = [
  ['Zone setting cname_flattening', 'cname-flattening', '2025-06-08', 2],
  [
    'Account settings fields default_nameservers, use_account_custom_ns_by_default',
    'account-nameservers',
    '2025-03-14',
    2,
  ],
  ['Firewall rules and filters', 'firewall-rules', '2025-06-15', 4],
  ['Previous managed-rules WAF', 'old-waf', '2025-06-15', 8],
  ['Previous rate limiting', 'old-rate-limits', '2025-06-15', 2],
  ['DNS records zone info', 'dns-record-zone-info', '2024-11-30', 2],
  ['DNS validation errors', 'dns-validation-errors', '2024-10-01', 1],
  ['DNS settings endpoints', 'dns-settings-endpoints', '2024-09-13', 2],
  ['Brotli setting', 'brotli', '2024-08-15', 1],
  ['Auto minify', 'minify', '2024-08-05', 1],
  ['DNS record field locked', 'dns-record-locked', '2024-07-14', 2],
  ['Mobile redirect', 'mobile-redirect', '2024-06-30', 1],
  ['Server-side excludes', 'server-side-exclude', '2024-06-14', 1],
  ['SRV record data fields service, proto, name', 'srv-record-data', '2024-05-31', 2],
  ['Legacy anonymous-token zone setting', 'privacy-pass', '2024-03-31', 1],
  ['Legacy tunnel API', 'legacy-tunnels', '2024-02-04', 2],
  ['Legacy draft ChaCha20 TLS cipher suites', 'draft-chacha20', '2023-07-01', 0],
  ['Transfer-Encoding with Content-Length', 'transfer-encoding-with-content-length', '2023-07-01', 0],
  ['Billing profile and history', 'billing', '2023-06-06', 3],
  ['Load balancing field notification_email', 'load-balancing-notification-email', '2023-04-03', 2],
  ['Access bookmark applications', 'access-bookmarks', '2023-03-19', 2],
  ['Script monitoring routes', 'script-monitor', '2022-10-11', 2],
  ['Image direct upload v1', 'images-direct-upload', '2022-07-01', 1],
  ['Zone analytics', 'zone-analytics', '2021-03-01', 2],
  ['Organizations', 'organizations', '2020-04-02', 11],
];

/** The rows of api.md 12.1: id, date, end. */
const later: readonly (readonly [id: string, date: string, end: string | null])[] = [
  ['workers-kv-namespaces', '2026-07-15', '2026-10-15'],
  ['registrar-domains', '2026-04-10', '2026-09-27'],
  ['zone-settings-batch', '2025-04-23', '2026-09-15'],
  ['gateway-audit-ssh', '2026-05-13', '2026-07-15'],
  ['user-service-key', '2026-03-19', '2026-09-30'],
  ['dns-record-type-change', '2026-01-23', '2026-06-30'],
  ['dns-analytics', '2025-12-09', '2026-12-01'],
  ['zero-trust-devices', '2025-11-11', null],
  ['mirage', '2025-11-03', '2026-01-01'],
  ['radar-summary-timeseries', '2025-10-15', '2026-04-15'],
  ['radar-verified-bots', '2025-07-01', '2026-01-01'],
  ['dweb-ipfs-resolver', '2025-07-01', null],
  ['firewall-rules', '2025-06-15', null],
  ['old-waf', '2025-06-15', null],
  ['old-rate-limits', '2025-06-15', null],
  ['cname-flattening', '2025-06-08', null],
  ['custom-ns-availability', '2025-03-23', null],
  ['radar-attack-top', '2025-03-20', '2025-09-20'],
  ['security-level', '2025-03-17', null],
  ['account-nameservers', '2025-03-14', null],
  ['radar-l7-magnitude', '2025-03-11', '2025-06-11'],
  ['dns-record-list-filters', '2025-02-21', '2025-05-23'],
  ['access-self-hosted-domains', '2025-11-21', null],
];

describe('the registry of deprecations', () => {
  test.each(specification)('specification 9 row: %s', (subject, id, date, count) => {
    const row = findDeprecation(id);
    expect(row).toMatchObject({ subject, date });
    expect(row?.sources).toContain('specification 9');
    expect(row?.affects).toHaveLength(count);
  });

  test.each(later)('api.md 12.1 row: %s', (id, date, end) => {
    const row = findDeprecation(id);
    expect(row).toMatchObject({ date, end });
    expect(row?.sources).toContain('api.md 12.1');
  });

  test('has no rows other than those of the two tables', () => {
    const known = new Set([...specification.map(([, id]) => id), ...later.map(([id]) => id)]);
    expect(DEPRECATIONS.map(({ id }) => id).sort()).toEqual([...known].sort());
    expect(DEPRECATIONS).toHaveLength(43);
    const bySource = (source: 'specification 9' | 'api.md 12.1') =>
      DEPRECATIONS.filter(({ sources }) => sources.includes(source)).length;
    expect([bySource('specification 9'), bySource('api.md 12.1')]).toEqual([25, 23]);
  });

  test('keeps the earlier dates of rows that were postponed (api.md 12.1)', () => {
    expect(findDeprecation('old-waf')?.earlier).toEqual(['2024-05-01', '2025-01-15']);
    expect(findDeprecation('firewall-rules')?.earlier).toContain('2025-01-15');
    expect(findDeprecation('old-rate-limits')?.earlier).toContain('2025-01-15');
    expect(findDeprecation('cname-flattening')?.earlier).toEqual(['2025-03-21']);
  });

  test('is well-formed: dates, paths, an end after the date, newest first', () => {
    for (const row of DEPRECATIONS) {
      const dates = [row.date, ...row.earlier, ...[row.end, row.announced].filter((date) => date !== null)];
      expect(dates.filter((date) => new Date(date).toISOString().slice(0, 10) !== date)).toEqual([]);
      expect(effectiveDate(row) >= row.date).toBe(true);
      expect(row.affects.filter(({ path }) => !/^(?:\/(?:[a-z0-9_]+|\{[a-z_]+\}))+$/u.test(path))).toEqual(
        [],
      );
      expect(
        row.affects.filter(({ methods }) => new Set(methods).size < Math.max(1, methods.length)),
      ).toEqual([]);
    }
    const dates = DEPRECATIONS.map(({ date }) => date);
    expect(dates).toEqual(dates.toSorted().toReversed());
  });

  test('is plain data', () => {
    expect(JSON.parse(JSON.stringify(DEPRECATIONS))).toEqual(DEPRECATIONS);
  });
});

test('the embedded service has a route for every method and path of the registry', () => {
  const plain = (path: string) =>
    path
      .replaceAll(/:\w+\{(?:privacy_pass)\}/gu, 'privacy_pass')
      .replaceAll(/:\w+(?:\{[^}]*\})?(?:\})?/gu, '*');
  const served = new Set(routes.map(({ method, path }) => `${method} ${plain(path)}`));
  const missing = DEPRECATIONS.flatMap(({ affects }) =>
    affects.flatMap(({ methods, path }) =>
      methods
        .map((method) => `${method} ${path.replaceAll(/\{\w+\}/gu, '*')}`)
        .filter((key) => !served.has(key) && !served.has(key.replace(/(settings)\/[a-z_]+$/u, '$1/*'))),
    ),
  );
  expect(missing).toEqual([]);
});
