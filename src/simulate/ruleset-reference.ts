import { slug } from '../model/slug.ts';
import type { SimulatedRuleset } from './scope-rules.ts';

/** Managed rulesets whose ids are well known, so that an id and a name are seen to mean the same (api.md 7.1). */
const WELL_KNOWN: ReadonlyMap<string, string> = new Map([
  ['efb7b8c949ac4650a09736fc376e9aee', 'managed:cloudflare-managed-ruleset'],
  ['4814384a9e5d4991b9815dcfc25d2f1f', 'managed:cloudflare-owasp-core-ruleset'],
  ['c2e184081120413c86c3ab7e14069605', 'managed:cloudflare-exposed-credentials-check-ruleset'],
  ['77454fe2d30c4220b5701f6fdfb893ba', 'managed:cloudflare-managed-free-ruleset'],
  ['e22d83c647c64a3eae91b71b499d988e', 'managed:cloudflare-sensitive-data-detection'],
  ['4d21379b4f9f4bb088e0729962c8b3cf', 'managed:ddos-l7-ruleset'],
  ['70339d97bdb34195bbf054b1ebe81f76', 'managed:cloudflare-normalization-ruleset'],
]);

/** How `execute` and `skip` call a ruleset, in one form: `managed:…`, `custom:…`, or an id that says nothing more. */
export function canonicalReference(reference: string): string {
  return WELL_KNOWN.get(reference) ?? reference;
}

/** How a declared custom ruleset is referred to; undefined for an entry point. */
export function referenceTo({ address }: SimulatedRuleset): string | undefined {
  return address.kind === 'custom' ? `custom:${slug(address.name)}` : undefined;
}
