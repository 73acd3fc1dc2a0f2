import type { StoredRulesetKind } from '../../records/ruleset-record.ts';

/** The limit of the plan that applies to the rules of a phase (api.md 8.1). */
export type QuotaKey =
  | 'custom'
  | 'ratelimit'
  | 'redirect'
  | 'transform'
  | 'config'
  | 'origin'
  | 'cache'
  | 'compression'
  | 'errors'
  | 'bulk'
  | 'overrides';

/**
 * What the service allows in a phase (api.md 4.2): the actions by kind of ruleset (the phase has no rulesets of a kind
 * without an entry), the limit, the permission groups, and the `source` in answers.
 */
export interface PhaseRow {
  readonly zone?: readonly string[];
  readonly root?: readonly string[];
  readonly accountCustom?: readonly string[];
  readonly zoneCustom?: readonly string[];
  readonly quota?: QuotaKey;
  /** The feature that an account needs for an entry point in the phase; absent: none. */
  readonly accountNeeds?: 'account_rulesets' | 'magic_transit' | 'network_ddos';
  readonly zonePermission?: string;
  readonly accountPermission?: string;
  readonly source?: string;
  /** The interface that alone writes rules in the phase; here they can only be read. */
  readonly writtenBy?: string;
  /** Set for the phases of the web application firewall, whose account rules must name Enterprise zones (api.md 4.4). */
  readonly waf?: true;
}

const CHALLENGES = ['challenge', 'js_challenge', 'managed_challenge'];
const FIREWALL = ['block', ...CHALLENGES, 'log', 'skip'];
const RATELIMIT = ['block', ...CHALLENGES, 'log'];

/** All phases that zones or accounts can have rulesets in, by name (api.md 4.1, 4.2, 11.2). */
const phases: Readonly<Record<string, PhaseRow>> = {
  ddos_l4: {
    root: ['execute'],
    accountNeeds: 'network_ddos',
    quota: 'overrides',
    accountPermission: 'L4 DDoS Managed Ruleset',
  },
  magic_transit: {
    root: ['block', 'skip', 'execute'],
    accountCustom: ['block', 'skip'],
    accountNeeds: 'magic_transit',
    accountPermission: 'Magic Firewall',
  },
  magic_transit_managed: {
    root: ['execute'],
    accountNeeds: 'magic_transit',
    accountPermission: 'Magic Firewall',
  },
  magic_transit_ratelimit: {
    root: ['block', 'log'],
    accountNeeds: 'magic_transit',
    accountPermission: 'Magic Firewall',
  },
  magic_transit_ids_managed: {
    root: ['execute'],
    accountNeeds: 'magic_transit',
    accountPermission: 'Magic Firewall',
  },
  http_request_sanitize: { zone: ['execute'], zonePermission: 'Sanitize' },
  http_request_dynamic_redirect: {
    zone: ['redirect'],
    quota: 'redirect',
    zonePermission: 'Dynamic URL Redirects',
  },
  http_request_transform: transform(),
  http_config_settings: {
    zone: ['set_config'],
    quota: 'config',
    zonePermission: 'Config Settings',
    accountPermission: 'Select Configuration',
  },
  http_request_origin: { zone: ['route'], quota: 'origin', zonePermission: 'Origin' },
  ddos_l7: {
    zone: ['execute'],
    root: ['execute'],
    accountNeeds: 'account_rulesets',
    quota: 'overrides',
    zonePermission: 'HTTP DDoS Managed Ruleset',
    accountPermission: 'Account Rulesets',
  },
  http_request_firewall_custom: {
    zone: [...FIREWALL, 'execute'],
    root: ['execute'],
    zoneCustom: FIREWALL,
    accountCustom: [...FIREWALL, 'rewrite'],
    quota: 'custom',
    ...waf('firewall_custom'),
  },
  http_ratelimit: {
    zone: RATELIMIT,
    root: ['execute'],
    accountCustom: RATELIMIT,
    quota: 'ratelimit',
    ...waf('rate_limit'),
  },
  http_request_firewall_managed: {
    zone: ['execute', 'skip'],
    root: ['execute', 'skip'],
    accountCustom: ['skip'],
    ...waf('firewall_managed'),
  },
  http_request_sbfm: { zone: [], zonePermission: 'Bot Management', writtenBy: 'the bot settings' },
  http_request_redirect: { root: ['redirect'], quota: 'bulk', accountPermission: 'Mass URL Redirects' },
  http_request_late_transform: transform(),
  http_request_cache_settings: {
    zone: ['set_cache_settings'],
    quota: 'cache',
    zonePermission: 'Cache Settings',
  },
  http_custom_errors: {
    zone: ['serve_error'],
    root: ['serve_error'],
    accountNeeds: 'account_rulesets',
    quota: 'errors',
    zonePermission: 'Custom Errors',
    accountPermission: 'Custom Error Rules',
  },
  http_response_headers_transform: transform(),
  http_response_cache_settings: {
    zone: ['set_cache_control', 'set_cache_tags', 'set_cache_settings'],
    quota: 'cache',
    zonePermission: 'Cache Settings',
  },
  http_response_compression: {
    zone: ['compress_response'],
    quota: 'compression',
    zonePermission: 'Response Compression',
  },
  http_response_firewall_managed: {
    zone: ['execute'],
    root: ['execute'],
    accountNeeds: 'account_rulesets',
    zonePermission: 'Zone WAF',
    accountPermission: 'Account WAF',
    source: 'dlp',
  },
  http_log_custom_fields: { zone: ['log_custom_field'], zonePermission: 'Logs', accountPermission: 'Logs' },
};

/** The names of all phases. */
export const phaseNames: readonly string[] = Object.keys(phases);

/** Returns the row of a phase, or undefined when there is no such phase. */
export function phaseRow(name: string): PhaseRow | undefined {
  return Object.hasOwn(phases, name) ? phases[name] : undefined;
}

/** Returns the actions that a ruleset of this phase, kind and level may contain; undefined when there is no such ruleset. */
export function allowedActions(
  phase: string,
  kind: StoredRulesetKind,
  level: 'zone' | 'account',
): readonly string[] | undefined {
  const row = phaseRow(phase);
  switch (kind) {
    case 'zone':
      return level === 'zone' ? row?.zone : undefined;
    case 'root':
      return level === 'account' ? row?.root : undefined;
    case 'custom':
      return level === 'zone' ? row?.zoneCustom : row?.accountCustom;
    case 'managed':
      break;
  }
  return undefined;
}

function transform(): PhaseRow {
  return {
    zone: ['rewrite'],
    root: ['rewrite'],
    accountNeeds: 'account_rulesets',
    quota: 'transform',
    zonePermission: 'Zone Transform Rules',
    accountPermission: 'Transform Rules',
  };
}

function waf(source: string) {
  return {
    accountNeeds: 'account_rulesets',
    zonePermission: 'Zone WAF',
    accountPermission: 'Account WAF',
    source,
    waf: true,
  } as const;
}
