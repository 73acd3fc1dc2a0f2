import { slug } from '../model/slug.ts';
import { wellKnownRuleset } from '../model/well-known-rulesets.ts';
import type { SimulatedRuleset } from './scope-rules.ts';

/** How `execute` and `skip` call a ruleset, in one form: `managed:…`, `custom:…`, or an id that says nothing more. */
export function canonicalReference(reference: string): string {
  return wellKnownRuleset(reference) ?? reference;
}

/** How a declared custom ruleset is referred to; undefined for an entry point. */
export function referenceTo({ address }: SimulatedRuleset): string | undefined {
  return address.kind === 'custom' ? `custom:${slug(address.name)}` : undefined;
}
