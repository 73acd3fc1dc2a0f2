/** Actions that a custom rule has under the same name (api.md 9.3). */
export const SAME_ACTIONS: readonly string[] = [
  'block',
  'challenge',
  'js_challenge',
  'managed_challenge',
  'log',
];

/** What a bypass can name (api.md 9.1). */
export const BYPASS_PRODUCTS: readonly string[] = [
  'zoneLockdown',
  'uaBlock',
  'bic',
  'hot',
  'securityLevel',
  'rateLimit',
  'waf',
];

/** The phases that replace two of these products (api.md 9.3). */
export const PRODUCT_PHASES: ReadonlyMap<string, string> = new Map([
  ['rateLimit', 'http_ratelimit'],
  ['waf', 'http_request_firewall_managed'],
]);

/** Returns the `ref` for the conversion of an old rule; it names the old rule for good. */
export function convertedRef(id: string): string {
  return `firewall-rule-${id}`;
}

/** Whether a `ref` is one that a conversion gives. */
export function isConvertedRef(ref: string): boolean {
  return /^firewall-rule-[0-9a-f]{32}$/u.test(ref);
}
