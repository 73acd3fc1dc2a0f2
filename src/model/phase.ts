import type { ScopeKind } from './scope.ts';

/** The side of an exchange that a phase works on. */
export type PhaseStage = 'network' | 'request' | 'response';

/** A row of the phase table in api.md 4.2. */
export interface PhaseFacts {
  readonly name: string;
  readonly product: string;
  readonly stage: PhaseStage;
  /** Scope kinds that can have an entry point of this phase. */
  readonly entrypoints: readonly ScopeKind[];
  /** Scope kinds that can have custom rulesets of this phase. */
  readonly custom: readonly ScopeKind[];
}

const ZONE = ['zone'] as const;
const ACCOUNT = ['account'] as const;
const BOTH = ['zone', 'account'] as const;
const NONE = [] as const;

/** All phases in the order in which an exchange goes through them (api.md 4.2, 4.3). */
const TABLE = [
  ['ddos_l4', 'Network-layer DDoS', 'network', ACCOUNT, NONE],
  ['magic_transit', 'Magic Firewall', 'network', ACCOUNT, ACCOUNT],
  ['magic_transit_managed', 'Magic Firewall managed rules', 'network', ACCOUNT, NONE],
  ['magic_transit_ratelimit', 'Magic rate limiting', 'network', ACCOUNT, NONE],
  ['magic_transit_ids_managed', 'Intrusion detection', 'network', ACCOUNT, NONE],
  ['http_request_sanitize', 'URL normalization', 'request', ZONE, NONE],
  ['http_request_dynamic_redirect', 'Single redirects', 'request', ZONE, NONE],
  ['http_request_transform', 'URL rewrites', 'request', BOTH, NONE],
  ['http_config_settings', 'Configuration rules', 'request', ZONE, NONE],
  ['http_request_origin', 'Origin rules', 'request', ZONE, NONE],
  ['ddos_l7', 'HTTP DDoS', 'request', BOTH, NONE],
  ['http_request_firewall_custom', 'WAF custom rules', 'request', BOTH, BOTH],
  ['http_ratelimit', 'Rate limiting rules', 'request', BOTH, ACCOUNT],
  ['http_request_firewall_managed', 'WAF managed rules', 'request', BOTH, ACCOUNT],
  ['http_request_sbfm', 'Super Bot Fight Mode', 'request', ZONE, NONE],
  ['http_request_redirect', 'Bulk redirects', 'request', ACCOUNT, NONE],
  ['http_request_late_transform', 'Request header transforms', 'request', BOTH, NONE],
  ['http_request_cache_settings', 'Cache rules', 'request', ZONE, NONE],
  ['http_response_cache_settings', 'Cache response rules', 'response', ZONE, NONE],
  ['http_custom_errors', 'Custom errors', 'response', BOTH, NONE],
  ['http_response_headers_transform', 'Response header transforms', 'response', BOTH, NONE],
  ['http_response_compression', 'Compression rules', 'response', ZONE, NONE],
  ['http_response_firewall_managed', 'Sensitive data detection', 'response', BOTH, NONE],
  ['http_log_custom_fields', 'Custom log fields', 'response', ZONE, NONE],
] as const;

/** Every phase, in order of execution. */
export const PHASES: readonly PhaseFacts[] = TABLE.map(([name, product, stage, entrypoints, custom]) => ({
  name,
  product,
  stage,
  entrypoints,
  custom,
}));

const ORDER: ReadonlyMap<string, number> = new Map(PHASES.map((phase, index) => [phase.name, index]));

/** Returns the facts of a phase; undefined if this version does not know it. */
export function phaseFacts(name: string): PhaseFacts | undefined {
  return PHASES[ORDER.get(name) ?? -1];
}

/** Phases whose rules are written through another interface, with the reason for messages (api.md 4.1, 4.2). */
export const WRITTEN_ELSEWHERE: ReadonlyMap<string, string> = new Map([
  ['http_request_sbfm', 'the bot settings write its rules, not this interface'],
]);

/** Whether the managed rules of a phase, those against DDoS, always run, and rules of the phase only adjust them (api.md 4.4, 5.3). */
export function isAlwaysOn({ phase }: { readonly phase: string }): boolean {
  return phase === 'ddos_l4' || phase === 'ddos_l7';
}

/** Returns a phase's position in the order of execution; unknown phases come last. */
export function phaseOrder(name: string): number {
  return ORDER.get(name) ?? PHASES.length;
}
