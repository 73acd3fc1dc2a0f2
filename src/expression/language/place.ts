/** What a text is used for: a rule's filter, a value that a rewrite or redirect computes, or what a rate limit counts. */
export type Use = 'filter' | 'value' | 'counting';

/** The facts of a place, a part of the service to which a field or function is bound. */
export interface PlaceFacts {
  /** Where the place is, in words for messages. */
  readonly where: string;
  readonly phases: readonly string[];
  /** Whether only computed values may use it. */
  readonly valueOnly?: boolean;
  /** Whether rate limits may count by it. */
  readonly counting?: boolean;
  /** The level to which it is bound, instead of phases. */
  readonly level?: 'account';
}

const RESPONSE = [
  'http_response_headers_transform',
  'http_response_compression',
  'http_response_cache_settings',
  'http_response_firewall_managed',
  'http_custom_errors',
  'http_log_custom_fields',
];
const HEADERS = ['http_request_late_transform', 'http_response_headers_transform'];
const TRANSFORM = ['http_request_transform', ...HEADERS];
const CUSTOM_AND_RATE = ['http_request_firewall_custom', 'http_ratelimit'];
const REDIRECT = 'http_request_dynamic_redirect';
const PACKET = [
  'magic_transit',
  'magic_transit_managed',
  'magic_transit_ratelimit',
  'magic_transit_ids_managed',
  'ddos_l4',
];

const TABLE = {
  response: { where: 'response phases and counting expressions', phases: RESPONSE, counting: true },
  'response-error': {
    where: 'response header transforms and custom errors',
    phases: ['http_response_headers_transform', 'http_custom_errors'],
  },
  packet: { where: 'Network Firewall phases', phases: PACKET },
  transform: { where: 'transform rules', phases: TRANSFORM },
  'header-transform': { where: 'header transform rules', phases: HEADERS },
  rewrite: { where: 'values of transform rules', phases: TRANSFORM, valueOnly: true },
  'rewrite-redirect': {
    where: 'values of transform rules and redirects',
    phases: [...TRANSFORM, REDIRECT],
    valueOnly: true,
  },
  'url-rewrite-redirect': {
    where: 'values of URL rewrites and redirects',
    phases: ['http_request_transform', REDIRECT],
    valueOnly: true,
  },
  'transform-custom-error': {
    where: 'transform rules, custom rules and custom errors',
    phases: [...TRANSFORM, 'http_request_firewall_custom', 'http_custom_errors'],
  },
  'transform-custom-ratelimit': {
    where: 'transform rules, custom rules and rate limiting rules',
    phases: [...TRANSFORM, ...CUSTOM_AND_RATE],
  },
  'custom-ratelimit': { where: 'custom rules and rate limiting rules', phases: CUSTOM_AND_RATE },
  'custom-ratelimit-header': {
    where: 'custom rules, rate limiting rules and request header transforms',
    phases: [...CUSTOM_AND_RATE, 'http_request_late_transform'],
  },
  body: {
    where: 'WAF, rate limiting and custom error phases',
    phases: [...CUSTOM_AND_RATE, 'http_request_firewall_managed', 'http_custom_errors'],
  },
  'api-shield': { where: 'API Shield rules', phases: CUSTOM_AND_RATE },
  account: { where: 'rulesets of an account', phases: [], level: 'account' },
} as const;

/** The kinds of places that fields and functions are bound to (`rules-language.md` 4.1). */
export type Place = keyof typeof TABLE;

/** Every place. The service's documentation states places by product; its changelogs show some used more widely. */
export const PLACES: Readonly<Record<Place, PlaceFacts>> = TABLE;

/** Whether a name is that of a place. */
export function isPlace(name: string): name is Place {
  return Object.hasOwn(PLACES, name);
}

/**
 * Whether a phase is about packets. In such a phase `ip.geoip.country` matches source or destination, so that no single current field means
 * the same (`rules-language.md` 4.2).
 */
export function isNetworkPhase(phase: string): boolean {
  return /^(?:magic_transit|ddos_l4|mt_)/u.test(phase);
}
