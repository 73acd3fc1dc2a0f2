import { FIELDS } from './language/catalogue.ts';
import { replaceSpans } from './check.ts';
import { takeInventory } from './check/take-inventory.ts';
import { parseExpression } from './parse/parse.ts';
import { isNetworkPhase } from './language/place.ts';

const TWO_MEANINGS = 'ip.geoip.country';

/**
 * The text with the names that its fields have now in place of their old ones, as far as both mean the same in the phase. It is for
 * comparing meanings: what the service stores is another text.
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

/** The name that a field has now. */
export function currentName(field: string): string {
  return FIELDS.get(field)?.replacement ?? field;
}
