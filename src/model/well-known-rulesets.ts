/** Managed rulesets with well-known ids, so that an id and a name can be recognised as the same ruleset (api.md 7.1). */
const WELL_KNOWN: ReadonlyMap<string, string> = new Map([
  ['efb7b8c949ac4650a09736fc376e9aee', 'managed:cloudflare-managed-ruleset'],
  ['4814384a9e5d4991b9815dcfc25d2f1f', 'managed:cloudflare-owasp-core-ruleset'],
  ['c2e184081120413c86c3ab7e14069605', 'managed:cloudflare-exposed-credentials-check-ruleset'],
  ['77454fe2d30c4220b5701f6fdfb893ba', 'managed:cloudflare-managed-free-ruleset'],
  ['e22d83c647c64a3eae91b71b499d988e', 'managed:cloudflare-sensitive-data-detection'],
  ['4d21379b4f9f4bb088e0729962c8b3cf', 'managed:ddos-l7-ruleset'],
  ['70339d97bdb34195bbf054b1ebe81f76', 'managed:cloudflare-normalization-ruleset'],
]);

/** Returns the name that files use for a managed ruleset; undefined when its id is not well known. */
export function wellKnownRuleset(id: string): string | undefined {
  return WELL_KNOWN.get(id);
}
