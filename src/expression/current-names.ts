import { FIELDS } from './language/catalogue.ts';
import { replaceSpans } from './check-expression.ts';
import { takeInventory } from './check/take-inventory.ts';
import { parseExpression } from './parse/parse-expression.ts';
import { isNetworkPhase } from './language/expression-place.ts';

const TWO_MEANINGS = 'ip.geoip.country';

/**
 * Replaces the deprecated names of fields in an expression by their current ones, where both mean the same in the phase. For comparing
 * meanings only: the service stores the text as it was sent.
 */
export function withCurrentNames(text: string, phase: string): string {
  if (!text.includes('ip.geoip.')) {
    return text;
  }
  const parsed = parseExpression(text);
  if (!parsed.ok) {
    return text;
  }
  const { fields } = takeInventory(text, parsed.tree);
  return replaceSpans(
    text,
    fields.flatMap(({ name, span }) =>
      name === TWO_MEANINGS && isNetworkPhase(phase) ? [] : [{ span, replacement: currentName(name) }],
    ),
  );
}

/** Returns the current name of a field. */
export function currentName(field: string): string {
  return FIELDS.get(field)?.replacement ?? field;
}
