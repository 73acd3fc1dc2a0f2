import { parseExpression, sameMeaning } from '../expression/index.ts';
import { jsonEqual, omit } from '../model/json.ts';
import { canonicalContent } from '../model/normalise.ts';
import type { RuleContent } from '../model/rule.ts';

/** Whether two rules provably do the same; what they are called does not matter. */
export function sameEffect(one: RuleContent, other: RuleContent): boolean {
  const ignored = ['description', 'expression'];
  return (
    jsonEqual(omit(canonicalContent(one), ignored), omit(canonicalContent(other), ignored)) &&
    sameCondition(one.expression, other.expression)
  );
}

/** Whether two expressions are the same text or provably have the same meaning. */
export function sameCondition(one: string, other: string): boolean {
  if (one.trim() === other.trim()) {
    return true;
  }
  const left = parseExpression(one);
  const right = parseExpression(other);
  return left.ok && right.ok && sameMeaning(left.tree, right.tree);
}
