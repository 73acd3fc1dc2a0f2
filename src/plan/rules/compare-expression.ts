import { parseExpression } from '../../expression/parse.ts';
import { sameMeaning } from '../../expression/same-meaning.ts';

/** How two expression texts compare: the same bytes, the same meaning in other bytes, or not provably the same. */
export type ExpressionComparison = 'identical' | 'respelled' | 'different';

/**
 * Compares two expressions; `respelled` only when the meaning is provably the same (rules-language.md 6.3).
 * Of a text that does not parse nothing is known, not even where its strings end.
 */
export function compareExpressions(a: string, b: string): ExpressionComparison {
  if (a === b) {
    return 'identical';
  }
  if (endsWithEnterpriseClause(a) !== endsWithEnterpriseClause(b)) {
    return 'different';
  }
  const one = parseExpression(a);
  const other = parseExpression(b);
  return one.ok && other.ok && sameMeaning(one.tree, other.tree) ? 'respelled' : 'different';
}

/**
 * The service demands that expressions of account rules end in this clause, by their text (api.md 4.4);
 * so its place is no matter of spelling.
 */
function endsWithEnterpriseClause(text: string): boolean {
  return /\band\s+cf\.zone\.plan\s+eq\s+"ENT"\s*$/.test(text);
}
