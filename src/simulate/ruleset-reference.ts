import { slug } from '../text/index.ts';
import { wellKnownRuleset } from '../model/index.ts';
import type { SimulatedRuleset } from './scope-rules.ts';

/** Returns the canonical form of a reference to a ruleset in `execute` and `skip`: `managed:…`, `custom:…`, or an unknown id as it is. */
export function canonicalReference(reference: string): string {
  return wellKnownRuleset(reference) ?? reference;
}

/** Returns the reference to a declared custom ruleset; undefined for an entry point. */
export function referenceTo({ address }: SimulatedRuleset): string | undefined {
  return address.kind === 'custom' ? `custom:${slug(address.name)}` : undefined;
}
