import { takeInventory } from './check/take-inventory.ts';
import { parseExpression } from './parse.ts';

/** Whether a condition compares with a regular expression; not when the text does not parse. */
export function usesRegex(text: string): boolean {
  // Most texts have neither spelling, and need not be read for it.
  const parsed = /matches|~/.test(text) ? parseExpression(text, { mode: 'filter' }) : null;
  return (
    parsed?.ok === true &&
    takeInventory(text, parsed.tree, {}).comparisons.some(({ operator }) => operator === 'matches')
  );
}
