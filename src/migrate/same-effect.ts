import { parseExpression, sameMeaning } from '../expression/index.ts';

/** Whether two expressions are the same text or provably have the same meaning. */
export function sameCondition(one: string, other: string): boolean {
  if (one.trim() === other.trim()) {
    return true;
  }
  const left = parseExpression(one);
  const right = parseExpression(other);
  return left.ok && right.ok && sameMeaning(left.tree, right.tree);
}
