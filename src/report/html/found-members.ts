import { readStepId } from '../../model/step-id.ts';
import type { Alike } from '../alike-scopes.ts';
import type { Found } from '../attention.ts';

/** What is told once, of each of its scopes; what is told of many rules is about their ruleset. */
export function membersOf({ item, rules, scopes }: Alike<Found>): readonly Found[] {
  const found = rules.length === 0 ? item : { ...item, rule: '' };
  return scopes.length === 0 ? [found] : scopes.map((scope) => inScope(found, scope));
}

/** What is said of one scope, said of another one. */
export function inScope(found: Found, scope: string): Found {
  const { step } = found;
  return { ...found, scope, step: step && `${scope}/${readStepId(step).ruleset}` };
}
