import { lackingNames } from './check/plans.ts';
import type { CheckContext } from './check/subject.ts';
import { takeInventory } from './check/take-inventory.ts';
import { parseExpression } from './parse/parse.ts';

/**
 * What fields and functions of a condition need that the plan does not have, in words; regular expressions are `usesRegex`.
 * Nothing when the text does not parse.
 */
export function planNeeds(text: string, plan: NonNullable<CheckContext['plan']>): readonly string[] {
  const parsed = parseExpression(text, { mode: 'filter' });
  if (!parsed.ok) {
    return [];
  }
  const lacking = lackingNames(takeInventory(text, parsed.tree), plan);
  return [...new Set(lacking.map(({ name, needs }) => `${name}, which takes ${needs}`))];
}

/** Whether a condition compares with a regular expression; not when the text does not parse. */
export function usesRegex(text: string): boolean {
  // Most texts have neither spelling, and need not be read for it.
  const parsed = /matches|~/.test(text) ? parseExpression(text, { mode: 'filter' }) : null;
  return (
    parsed?.ok === true &&
    takeInventory(text, parsed.tree).comparisons.some(({ operator }) => operator === 'matches')
  );
}
