import { lackingNames } from './check/plans.ts';
import type { CheckContext } from './check/subject.ts';
import { takeInventory } from './check/take-inventory.ts';
import { parseExpression } from './parse.ts';

/**
 * What fields and functions of a condition need that the plan does not have, in words; regular expressions are `usesRegex`.
 * Nothing when the text does not parse.
 */
export function planNeeds(text: string, plan: NonNullable<CheckContext['plan']>): readonly string[] {
  const parsed = parseExpression(text, { mode: 'filter' });
  if (!parsed.ok) {
    return [];
  }
  const lacking = lackingNames(takeInventory(text, parsed.tree, { plan }), plan);
  return [...new Set(lacking.map(({ name, needs }) => `${name}, which takes ${needs}`))];
}
