import { parseExpression, printExpression } from '../../expression/index.ts';
import type { JsonValue } from '../../data/index.ts';
import { isJsonArray, isJsonObject } from '../../data/index.ts';

/**
 * The clause that the service requires at the end of some account rules; it compares the text, parentheses before the clause included (api.md
 * 4.4).
 */
const ENTERPRISE_END = /\band\s+cf\.zone\.plan\s+eq\s+"ENT"\s*$/u;

/**
 * Returns a condition in canonical form. A text that does not parse, that has variables, or whose exact text matters to the service stays as it
 * is.
 */
export function canonicalExpression(text: string): string {
  if (text.includes('${') || ENTERPRISE_END.test(text)) {
    return text;
  }
  const parsed = parseExpression(text);
  return parsed.ok ? printExpression(parsed.tree) : text;
}

/** Keys of conditions. Other expressions are left alone, because a plan compares them by their text. */
export const CONDITIONS: ReadonlySet<string> = new Set(['expression', 'counting_expression']);

/** Whether a mapping is a rule or a rate limit, whose conditions are put in canonical form. */
export function holdsConditions(keys: readonly string[]): boolean {
  return keys.includes('action') || keys.includes('requests_per_period') || keys.includes('score_per_period');
}

/** Returns a document's value with its conditions in canonical form. */
export function withCanonicalExpressions(value: JsonValue): JsonValue {
  if (isJsonArray(value)) {
    return value.map(withCanonicalExpressions);
  }
  if (!isJsonObject(value)) {
    return value;
  }
  const ours = holdsConditions(Object.keys(value));
  return Object.fromEntries(
    Object.entries(value).map(([key, member]) => [
      key,
      ours && CONDITIONS.has(key) && typeof member === 'string'
        ? canonicalExpression(member)
        : withCanonicalExpressions(member),
    ]),
  );
}
