import { readStepId } from '../../model/step-id.ts';
import type { Alike } from '../alike-scopes.ts';
import type { Found } from '../attention.ts';

/** Expands a grouped finding to one per scope. A finding about many rules becomes one about their ruleset. */
export function membersOf({ item, rules, scopes }: Alike<Found>): readonly Found[] {
  const found = rules.length === 0 ? item : { ...item, rule: '' };
  return scopes.length === 0 ? [found] : scopes.map((scope) => inScope(found, scope));
}

/** Returns a finding about one scope as a finding about another. */
export function inScope(found: Found, scope: string): Found {
  const { step } = found;
  return { ...found, scope, step: step && `${scope}/${readStepId(step).ruleset}` };
}
