import type { ServiceRequest } from './request.ts';

interface Groups {
  readonly zone?: string;
  readonly account?: string;
}

const WAF: Groups = { zone: 'Zone WAF', account: 'Account WAF' };
const TRANSFORM: Groups = { zone: 'Zone Transform Rules', account: 'Transform Rules' };
const CACHE: Groups = { zone: 'Cache Settings' };
const MAGIC: Groups = { account: 'Magic Firewall' };

/** The permission group that each phase needs (api.md 11.2). */
const GROUPS: ReadonlyMap<string, Groups> = new Map([
  ['http_request_firewall_custom', WAF],
  ['http_ratelimit', WAF],
  ['http_request_firewall_managed', WAF],
  ['http_response_firewall_managed', WAF],
  ['http_request_transform', TRANSFORM],
  ['http_request_late_transform', TRANSFORM],
  ['http_response_headers_transform', TRANSFORM],
  ['http_request_dynamic_redirect', { zone: 'Dynamic URL Redirects' }],
  ['http_request_redirect', { account: 'Mass URL Redirects' }],
  ['http_config_settings', { zone: 'Config Settings', account: 'Select Configuration' }],
  ['http_request_origin', { zone: 'Origin' }],
  ['http_request_cache_settings', CACHE],
  ['http_response_cache_settings', CACHE],
  ['http_response_compression', { zone: 'Response Compression' }],
  ['http_custom_errors', { zone: 'Custom Errors', account: 'Custom Error Rules' }],
  ['ddos_l7', { zone: 'HTTP DDoS Managed Ruleset', account: 'Account Rulesets' }],
  ['ddos_l4', { account: 'L4 DDoS Managed Ruleset' }],
  ['magic_transit', MAGIC],
  ['magic_transit_managed', MAGIC],
  ['magic_transit_ratelimit', MAGIC],
  ['magic_transit_ids_managed', MAGIC],
  ['http_request_sanitize', { zone: 'Sanitize' }],
  ['http_request_sbfm', { zone: 'Bot Management' }],
  ['http_log_custom_fields', { zone: 'Logs', account: 'Logs' }],
]);

/** The permission groups of the older families, by the first segment of their paths (api.md 11.3). */
const ZONE_FAMILIES: ReadonlyMap<string, string> = new Map([
  ['firewall', 'Firewall Services'],
  ['filters', 'Firewall Services'],
  ['rate_limits', 'Firewall Services'],
  ['waf_migration', 'Firewall Services'],
  ['pagerules', 'Page Rules'],
]);

/** Returns a sentence about the permission that a refused request needs. */
export function permissionHint(request: ServiceRequest): string {
  const right = request.method === 'GET' ? 'Read' : 'Write';
  const [, kind, , family] = request.path.split('/');
  if (kind !== 'zones' && kind !== 'accounts') {
    return 'the credentials are valid but not allowed to do this';
  }
  const services = kind === 'zones' && family !== undefined ? ZONE_FAMILIES.get(family) : undefined;
  if (services !== undefined) {
    return `the token needs the permission "${services}" ${right} for this zone`;
  }
  if (kind === 'accounts' && family === 'rules') {
    return `the token needs the permission "Account Filter Lists" ${right} for this account`;
  }
  if (family !== 'rulesets') {
    return `the token needs the permission "${kind === 'zones' ? 'Zone' : 'Account Settings'}" ${right}`;
  }
  const level = kind === 'zones' ? 'zone' : 'account';
  const phase = request.phase ?? /\/phases\/([^/]+)\//.exec(request.path)?.[1];
  const group = phase === undefined ? undefined : GROUPS.get(phase)?.[level];
  if (phase === undefined || group === undefined) {
    const example = level === 'zone' ? '"Zone WAF"' : '"Account WAF" or "Account Rulesets"';
    return `the token needs ${right} of the permission of the phase (for WAF rules ${example}), for this ${level}`;
  }
  return `the token needs the permission "${group}" ${right} for this ${level}: phase ${phase} asks for it`;
}
