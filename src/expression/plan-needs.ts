import { lackingNames } from './check/check-names.ts';
import type { CheckContext } from './check/check-finding.ts';
import { takeInventory } from './check/take-inventory.ts';
import { utf16Offsets } from './language/source-bytes.ts';
import { parseExpression } from './parse/parse-expression.ts';
import type { Mode } from './parse/parse-text.ts';

/** A field or function that a plan does not have. Offsets count UTF-16 units of the text; `end` is exclusive. */
interface PlanLack {
  /** The name, and the plan that has it. */
  readonly says: string;
  readonly start: number;
  readonly end: number;
}

/**
 * Returns the fields and functions of an expression that the plan does not have, as often as they occur; for regular expressions see `usesRegex`.
 * Empty when the text does not parse.
 */
export function planNeeds(
  text: string,
  plan: NonNullable<CheckContext['plan']>,
  mode: Mode = 'filter',
): readonly PlanLack[] {
  const parsed = parseExpression(text, { mode });
  if (!parsed.ok) {
    return [];
  }
  const lacking = lackingNames(takeInventory(text, parsed.tree), plan);
  const offsets = lacking.length === 0 ? Number : utf16Offsets(text);
  return lacking.map(({ name, needs, span }) => ({
    says: `${name}, which needs ${needs}`,
    start: offsets(span.start),
    end: offsets(span.end),
  }));
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
