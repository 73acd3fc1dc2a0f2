import { takeInventory } from './check/take-inventory.ts';
import type { Mode } from './parse/parse-text.ts';
import { parseExpression } from './parse/parse-expression.ts';

/**
 * Whether an expression has a field of one of these names, or below one: `cf.waf` stands for `cf.waf.score` too. A text that does not parse, such as one
 * in a newer language, has a field where the name stands in it outside of words.
 */
export function namesField(text: string, mode: Mode, names: readonly string[]): boolean {
  // Most texts have none of them and need not be parsed.
  if (!names.some((name) => text.includes(name))) {
    return false;
  }
  const parsed = parseExpression(text, { mode });
  const found = parsed.ok
    ? takeInventory('', parsed.tree).fields.map((field) => field.name)
    : (text.match(/[\w.]+/gu) ?? []);
  return found.some((field) => names.some((name) => field === name || field.startsWith(`${name}.`)));
}
