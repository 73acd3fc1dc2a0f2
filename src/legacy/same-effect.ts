import { parseExpression, sameMeaning } from '../expression/index.ts';
import { jsonEqual, omit } from '../data/index.ts';
import { canonicalContent } from '../model/index.ts';
import type { LiveRule, RuleContent } from '../model/index.ts';

/** Whether two rules provably do the same; their descriptions do not matter. */
export function sameEffect(one: RuleContent, other: RuleContent): boolean {
  const ignored = ['description', 'expression'];
  return (
    jsonEqual(omit(canonicalContent(one), ignored), omit(canonicalContent(other), ignored)) &&
    sameCondition(one.expression, other.expression)
  );
}

/** Returns why no live rule with a `ref` is proven to do the same as one of these rules; null when one is. */
export function whyNotLive(
  live: readonly LiveRule[],
  ref: string,
  wanted: readonly RuleContent[],
): string | null {
  const own = live.find((rule) => rule.ref === ref);
  if (own === undefined) {
    return `no live rule has the ref ${ref}`;
  }
  return wanted.some((content) => sameEffect(own.content, content))
    ? null
    : `the live rule ${ref} is not proven to do the same`;
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
