import type { Deprecation } from './deprecation.ts';
import { deprecation, routes } from './deprecation.ts';

const READ_AND_EDIT = ['GET', 'PATCH'] as const;
const ONE = ['GET', 'PUT', 'DELETE'] as const;
const RECORDS = '/zones/{zone_id}/dns_records';
const WAF = '/zones/{zone_id}/firewall/waf';

/** The DNS record routes that return or accept a record (specification 9, row of 2024-11-30). */
const DNS_RECORDS = [
  ...routes(['GET', 'POST'], RECORDS),
  ...routes(['GET', 'PATCH', 'PUT'], `${RECORDS}/{dns_record_id}`),
];

/** Dates shared by three retirements that were postponed twice (api.md 10.2, 12.1). */
const MOVED_TO_JUNE = { date: '2025-06-15', earlier: ['2024-05-01', '2025-01-15'] };
const BOTH = ['specification 9', 'api.md 12.1'] as const;

/** Rows of specification 9 about zones. */
export const DEPRECATIONS_OF_ZONES: readonly Deprecation[] = [
  deprecation({
    id: 'cname-flattening',
    subject: 'Zone setting cname_flattening',
    change: 'Dedicated endpoints deprecated; old and new are kept in sync.',
    date: '2025-06-08',
    earlier: ['2025-03-21'],
    affects: routes(READ_AND_EDIT, '/zones/{zone_id}/settings/cname_flattening', '/zones/{zone_id}/settings'),
    fields: ['cname_flattening'],
    replacement: 'flatten_all_cnames of the DNS settings, /zones/{zone_id}/dns_settings',
    effect: {
      kind: 'mirrored',
      field: 'flatten_all_cnames',
      values: [
        ['off', 'false'],
        ['apex', 'false'],
        ['on', 'true'],
      ],
    },
    sources: BOTH,
  }),
  deprecation({
    id: 'firewall-rules',
    subject: 'Firewall rules and filters',
    change: 'Deprecated; replaced by custom rules.',
    ...MOVED_TO_JUNE,
    affects: [
      ...routes(['GET', 'POST', 'PATCH', 'PUT', 'DELETE'], '/zones/{zone_id}/firewall/rules'),
      ...routes(['GET', 'PATCH', 'PUT', 'DELETE'], '/zones/{zone_id}/firewall/rules/{rule_id}'),
      ...routes(['GET', 'POST', 'PUT', 'DELETE'], '/zones/{zone_id}/filters'),
      ...routes(ONE, '/zones/{zone_id}/filters/{filter_id}'),
    ],
    replacement: 'custom rules, phase http_request_firewall_custom',
    sources: BOTH,
  }),
  deprecation({
    id: 'old-waf',
    subject: 'Previous managed-rules WAF',
    change: 'Deprecated; replaced by the ruleset-based managed rules.',
    ...MOVED_TO_JUNE,
    affects: [
      ...routes(
        ['GET'],
        `${WAF}/packages`,
        `${WAF}/packages/{package_id}/groups`,
        `${WAF}/packages/{package_id}/rules`,
      ),
      ...routes(
        READ_AND_EDIT,
        `${WAF}/packages/{package_id}`,
        `${WAF}/packages/{package_id}/groups/{group_id}`,
        `${WAF}/packages/{package_id}/rules/{rule_id}`,
      ),
      ...routes(['GET', 'POST'], `${WAF}/overrides`),
      ...routes(ONE, `${WAF}/overrides/{override_id}`),
    ],
    replacement: 'managed rulesets, phase http_request_firewall_managed',
    sources: BOTH,
  }),
  deprecation({
    id: 'old-rate-limits',
    subject: 'Previous rate limiting',
    change: 'Deprecated; replaced by ruleset-based rate limiting rules.',
    ...MOVED_TO_JUNE,
    affects: [
      ...routes(['GET', 'POST'], '/zones/{zone_id}/rate_limits'),
      ...routes(ONE, '/zones/{zone_id}/rate_limits/{rate_limit_id}'),
    ],
    replacement: 'rate limiting rules, phase http_ratelimit',
    sources: BOTH,
  }),
  deprecation({
    id: 'dns-record-zone-info',
    subject: 'DNS records zone info',
    change: 'zone_id and zone_name are no longer returned with each record; requests may carry them.',
    date: '2024-11-30',
    affects: DNS_RECORDS,
    fields: ['zone_id', 'zone_name'],
    effect: { kind: 'fields', answers: 'omitted', requests: 'ignored' },
  }),
  deprecation({
    id: 'dns-validation-errors',
    subject: 'DNS validation errors',
    change: 'error_chain removed; the root cause is returned as the error.',
    date: '2024-10-01',
    affects: routes(['POST'], RECORDS),
    fields: ['error_chain'],
    effect: { kind: 'fields', answers: 'omitted', requests: 'ignored' },
  }),
  deprecation({
    id: 'dns-settings-endpoints',
    subject: 'DNS settings endpoints',
    change: 'Replaced by fields of the DNS settings; old and new are kept in sync.',
    date: '2024-09-13',
    affects: routes(
      READ_AND_EDIT,
      '/zones/{zone_id}/dns_settings/use_apex_ns',
      '/zones/{zone_id}/dns_settings/secondary_overrides',
    ),
    replacement: 'multi_provider and secondary_overrides of the DNS settings, /zones/{zone_id}/dns_settings',
    effect: {
      kind: 'mirrored',
      field: 'multi_provider, secondary_overrides',
      values: [
        ['off', 'false'],
        ['on', 'true'],
      ],
    },
  }),
  setting('brotli', 'Brotli setting', {
    date: '2024-08-15',
    change:
      'Deprecated; compression is on for all zones, and Enterprise zones may override it with compression rules.',
    replacement: 'compression rules, phase http_response_compression',
  }),
  setting('minify', 'Auto minify', { date: '2024-08-05', change: 'Deprecated.' }),
  deprecation({
    id: 'dns-record-locked',
    subject: 'DNS record field locked',
    change: 'No longer returned (it was always false); ignored in requests.',
    date: '2024-07-14',
    affects: DNS_RECORDS,
    fields: ['locked'],
    effect: { kind: 'fields', answers: 'omitted', requests: 'ignored' },
  }),
  setting('mobile_redirect', 'Mobile redirect', {
    date: '2024-06-30',
    change: 'Deprecated; replaced by single redirects.',
    replacement: 'single redirects, phase http_request_dynamic_redirect',
  }),
  setting('server_side_exclude', 'Server-side excludes', { date: '2024-06-14', change: 'Deprecated.' }),
  deprecation({
    id: 'srv-record-data',
    subject: 'SRV record data fields service, proto, name',
    change: 'No longer produced, and sending them is an error; use the name outside data.',
    date: '2024-05-31',
    affects: DNS_RECORDS,
    fields: ['data.service', 'data.proto', 'data.name'],
    replacement: 'the name of the record; data keeps priority, weight, port, target',
    effect: { kind: 'fields', answers: 'omitted', requests: 'refused' },
  }),
  deprecation({
    id: 'privacy-pass',
    subject: 'Legacy anonymous-token zone setting',
    change: 'API removed.',
    date: '2024-03-31',
    affects: routes(['GET', 'POST'], '/zones/{zone_id}/settings/privacy_pass'),
    effect: { kind: 'gone' },
  }),
  deprecation({
    id: 'script-monitor',
    subject: 'Script monitoring routes',
    change: 'The segment script_monitor is page_shield now.',
    date: '2022-10-11',
    affects: routes(
      ['GET'],
      '/zones/{zone_id}/script_monitor/scripts',
      '/zones/{zone_id}/script_monitor/scripts/{script_id}',
    ),
    replacement: '/zones/{zone_id}/page_shield/scripts',
    effect: { kind: 'renamed', from: 'script_monitor', to: 'page_shield' },
  }),
  deprecation({
    id: 'zone-analytics',
    subject: 'Zone analytics',
    change: 'Deprecated; replaced by the GraphQL analytics API.',
    date: '2021-03-01',
    affects: routes(['GET'], '/zones/{zone_id}/analytics/dashboard', '/zones/{zone_id}/analytics/colos'),
    replacement: 'the GraphQL analytics API',
  }),
];

function setting(
  name: string,
  subject: string,
  row: { readonly date: string; readonly change: string; readonly replacement?: string },
): Deprecation {
  return deprecation({
    id: name.replaceAll('_', '-'),
    subject,
    affects: routes(READ_AND_EDIT, `/zones/{zone_id}/settings/${name}`),
    fields: [name],
    ...row,
  });
}
