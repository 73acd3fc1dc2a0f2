/** What a text is used for: a rule's filter, a value that a rewrite or redirect computes, or what a rate limit counts. */
export type Use = 'filter' | 'value' | 'counting';

/** The facts of a place, a part of the service to which a field or function is bound. */
export interface PlaceFacts {
  /** Where the place is, in words for messages. */
  readonly where: string;
  /** The phases that have it. */
  readonly phases?: readonly string[];
  /** The phases that do not have it, where all others do. */
  readonly notIn?: readonly string[];
  /** Whether the service refuses it elsewhere for certain. */
  readonly isCertain?: boolean;
  /** Whether only computed values may use it, and conditions in no phase but these. */
  readonly valueOnly?: boolean;
  readonly conditionsIn?: readonly string[];
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

// Where a function's own page and a product's page differ, the product's page says more: cache response rules use functions of all kinds.
const CACHE_RESPONSE = 'http_response_cache_settings';

const TABLE = {
  response: {
    where: 'response phases and counting expressions',
    phases: RESPONSE,
    counting: true,
    isCertain: true,
  },
  answered: { where: 'response phases and counting expressions', phases: RESPONSE, counting: true },
  scored: {
    where: 'later phases: URL rewrites run before it is known',
    notIn: ['http_request_transform'],
  },
  split: { where: 'response phases', phases: RESPONSE },
  'response-error': {
    where: 'response header transforms and custom errors',
    phases: ['http_response_headers_transform', 'http_custom_errors'],
  },
  packet: { where: 'Network Firewall phases', phases: PACKET, isCertain: true },
  transform: { where: 'transform rules', phases: TRANSFORM },
  'header-transform': { where: 'header transform rules', phases: HEADERS },
  rewrite: { where: 'values of transform rules', phases: TRANSFORM, valueOnly: true },
  'rewrite-redirect': {
    where: 'values of transform rules and redirects',
    phases: [...TRANSFORM, REDIRECT, CACHE_RESPONSE],
    valueOnly: true,
    conditionsIn: [CACHE_RESPONSE],
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
    where: 'WAF, rate limiting, request header and custom error phases',
    phases: [
      ...CUSTOM_AND_RATE,
      'http_request_firewall_managed',
      'http_request_late_transform',
      'http_custom_errors',
    ],
  },
  jwt: { where: 'JWT validation rules of API Shield', phases: [] },
  account: { where: 'rulesets of an account', level: 'account' },
} as const;

/** The kinds of places that fields and functions are bound to (`rules-language.md` 4.1). */
export type ExpressionPlace = keyof typeof TABLE;

/** Every place. The service's documentation states places by product; its changelogs show some used more widely. */
export const PLACES: Readonly<Record<ExpressionPlace, PlaceFacts>> = TABLE;

/** Whether a name is that of a place. */
export function isPlace(name: string): name is ExpressionPlace {
  return Object.hasOwn(PLACES, name);
}

/**
 * Whether a phase is about packets. In such a phase `ip.geoip.country` matches source or destination, so that no single current field means
 * the same (`rules-language.md` 4.2).
 */
export function isNetworkPhase(phase: string): boolean {
  return /^(?:magic_transit|ddos_l4|mt_)/u.test(phase);
}
