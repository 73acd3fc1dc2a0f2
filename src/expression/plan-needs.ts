import { lackingNames } from './check/check-names.ts';
import type { CheckContext } from './check/check-finding.ts';
import { takeInventory } from './check/take-inventory.ts';
import { parseExpression } from './parse/parse.ts';
import type { Mode } from './parse/expression.ts';

/**
 * Describes the fields and functions of an expression that the plan does not have, each with the plan it needs; for regular expressions see
 * `usesRegex`. Empty when the text does not parse.
 */
export function planNeeds(
  text: string,
  plan: NonNullable<CheckContext['plan']>,
  mode: Mode = 'filter',
): readonly string[] {
  const parsed = parseExpression(text, { mode });
  if (!parsed.ok) {
    return [];
  }
  const lacking = lackingNames(takeInventory(text, parsed.tree), plan);
  return [...new Set(lacking.map(({ name, needs }) => `${name}, which needs ${needs}`))];
}

/** Whether a condition compares with a regular expression; false when the text does not parse. */
export function usesRegex(text: string): boolean {
  // Most texts have neither spelling and need not be parsed.
  const parsed = /matches|~/.test(text) ? parseExpression(text, { mode: 'filter' }) : null;
  return (
    parsed?.ok === true &&
    takeInventory(text, parsed.tree).comparisons.some(({ operator }) => operator === 'matches')
  );
}
