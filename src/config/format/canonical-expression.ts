import { parseExpression, printExpression } from '../../expression/index.ts';
import type { JsonValue } from '../../model/json.ts';
import { isJsonArray, isJsonObject } from '../../model/json.ts';

/** The service asks for this end by its text, parentheses before it included (api.md 4.4). */
const ENTERPRISE_END = /\band\s+cf\.zone\.plan\s+eq\s+"ENT"\s*$/u;

/**
 * A condition as we write it: the canonical text where there is one. A text that does not parse, that has variables, or whose very
 * text the service looks at stays as it is.
 */
export function canonicalExpression(text: string): string {
  if (text.includes('${') || ENTERPRISE_END.test(text)) {
    return text;
  }
  const parsed = parseExpression(text);
  return parsed.ok ? printExpression(parsed.tree) : text;
}

/** Keys of conditions. A plan compares other expressions by their text, so that these keep theirs. */
export const CONDITIONS: ReadonlySet<string> = new Set(['expression', 'counting_expression']);

/** Whether a mapping is a rule or a rate limit, whose conditions are ours to spell. */
export function holdsConditions(keys: readonly string[]): boolean {
  return keys.includes('action') || keys.includes('requests_per_period') || keys.includes('score_per_period');
}

/** A document's value with its conditions as we write them. */
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
