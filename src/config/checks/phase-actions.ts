import type { ScopeKind } from '../../model/scope.ts';

/** A kind of ruleset at the service: entry point of a zone, entry point of an account (`root`), or custom ruleset. */
export type RulesetLevel = 'zone' | 'root' | 'custom';

const CHALLENGES = ['challenge', 'js_challenge', 'managed_challenge'] as const;
const FIREWALL = ['block', ...CHALLENGES, 'log'] as const;
const EXECUTE = ['execute'] as const;

interface PhaseRow {
  readonly zone?: readonly string[];
  readonly root?: readonly string[];
  readonly custom?: readonly string[];
  /** Actions in custom rulesets of an account only, in addition to `custom`. */
  readonly accountCustom?: readonly string[];
}

/** Actions by phase and kind of ruleset (api.md 4.2, 5.1). No custom ruleset executes another one (api.md 4.4). */
const ROWS: ReadonlyMap<string, PhaseRow> = new Map<string, PhaseRow>([
  ['ddos_l4', { root: EXECUTE }],
  ['magic_transit', { root: ['block', 'skip', 'execute'], custom: ['block', 'skip'] }],
  ['magic_transit_managed', { root: EXECUTE }],
  ['magic_transit_ratelimit', { root: ['block', 'log'] }],
  ['magic_transit_ids_managed', { root: EXECUTE }],
  ['http_request_sanitize', { zone: EXECUTE }],
  ['http_request_dynamic_redirect', { zone: ['redirect'] }],
  ['http_request_transform', { zone: ['rewrite'], root: ['rewrite'] }],
  ['http_config_settings', { zone: ['set_config'] }],
  ['http_request_origin', { zone: ['route'] }],
  ['ddos_l7', { zone: EXECUTE, root: EXECUTE }],
  [
    'http_request_firewall_custom',
    {
      zone: [...FIREWALL, 'skip', 'execute'],
      root: EXECUTE,
      custom: [...FIREWALL, 'skip'],
      accountCustom: ['rewrite'],
    },
  ],
  ['http_ratelimit', { zone: FIREWALL, root: EXECUTE, custom: FIREWALL }],
  [
    'http_request_firewall_managed',
    { zone: ['execute', 'skip'], root: ['execute', 'skip'], custom: ['skip'] },
  ],
  ['http_request_redirect', { root: ['redirect'] }],
  ['http_request_late_transform', { zone: ['rewrite'], root: ['rewrite'] }],
  ['http_request_cache_settings', { zone: ['set_cache_settings'] }],
  ['http_response_cache_settings', { zone: ['set_cache_control', 'set_cache_tags', 'set_cache_settings'] }],
  ['http_custom_errors', { zone: ['serve_error'], root: ['serve_error'] }],
  ['http_response_headers_transform', { zone: ['rewrite'], root: ['rewrite'] }],
  ['http_response_compression', { zone: ['compress_response'] }],
  ['http_response_firewall_managed', { zone: EXECUTE, root: EXECUTE }],
  ['http_log_custom_fields', { zone: ['log_custom_field'] }],
]);

/** Actions that no phase is documented for; the service decides. */
export const UNPLACED_ACTIONS: ReadonlySet<string> = new Set(['transform_response_html']);

/** Returns the actions that a ruleset accepts; undefined when the phase is not known. */
export function actionsIn(
  phase: string,
  level: RulesetLevel,
  scope: ScopeKind,
): readonly string[] | undefined {
  const row = ROWS.get(phase);
  if (row === undefined) {
    return undefined;
  }
  const actions = row[level] ?? [];
  return level === 'custom' && scope === 'account' ? [...actions, ...(row.accountCustom ?? [])] : actions;
}

/** Returns the phases that accept an action, for a hint. */
export function phasesWith(action: string, level: RulesetLevel, scope: ScopeKind): readonly string[] {
  return [...ROWS.keys()].filter((phase) => actionsIn(phase, level, scope)?.includes(action) === true);
}
