import { slug } from '../text/index.ts';
import type { SimulatedRuleset } from './scope-rules.ts';

/** Returns the reference to a declared custom ruleset; undefined for an entry point. */
export function referenceTo({ address }: SimulatedRuleset): string | undefined {
  return address.kind === 'custom' ? `custom:${slug(address.name)}` : undefined;
}
