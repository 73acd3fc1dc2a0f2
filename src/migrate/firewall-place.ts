import type { Tree } from '../expression/index.ts';
import { excludes, parseExpression } from '../expression/index.ts';
import type { ConversionPlace, RuleConversion } from '../model/firewall-conversion.ts';
import { oldRuleName } from '../model/firewall-conversion.ts';
import type { LiveRule } from '../model/rule.ts';
import { skipsRest } from '../model/skips-rest.ts';

/** The place of the converted rules, or why no place leaves everything as it is. */
export type PlaceDecision =
  | { readonly kind: 'placed'; readonly place: ConversionPlace; readonly reason: string }
  | { readonly kind: 'ask'; readonly first: string; readonly last: string };

/**
 * Decides where converted rules go among the custom rules. Old rules run before custom rules, so converted rules go first, unless they would keep
 * a custom rule from requests that an old allow lets pass: an allow ends the old rules only. They go last where no custom rule can get in their
 * way. What is not proven harmless counts as harm.
 */
export function decidePlace(
  converted: readonly RuleConversion[],
  existing: readonly LiveRule[],
  chosen: ConversionPlace | undefined,
): PlaceDecision {
  if (chosen !== undefined) {
    return { kind: 'placed', place: chosen, reason: 'it was asked for' };
  }
  if (existing.length === 0) {
    return { kind: 'placed', place: 'first', reason: 'there are no other custom rules' };
  }
  const first = harmOfFirst(converted, existing);
  if (first === null) {
    return {
      kind: 'placed',
      place: 'first',
      reason: 'old rules run before custom rules, and none of them keeps a request from a custom rule',
    };
  }
  const last = harmOfLast(converted, existing);
  return last === null
    ? {
        kind: 'placed',
        place: 'last',
        reason: `${first}; after them nothing changes`,
      }
    : { kind: 'ask', first, last };
}

function harmOfFirst(converted: readonly RuleConversion[], existing: readonly LiveRule[]): string | null {
  const allows = active(converted).filter(({ old }) => old.action === 'allow');
  const custom = existing.filter(({ content }) => content.enabled);
  for (const allow of allows) {
    const met = custom.find(({ content }) => !areDisjoint(allow.content.expression, content.expression));
    if (met !== undefined) {
      return `before the custom rules, “${oldRuleName(allow.old)}” would keep requests from ${met.ref}`;
    }
  }
  return null;
}

function harmOfLast(converted: readonly RuleConversion[], existing: readonly LiveRule[]): string | null {
  const rules = active(converted);
  for (const { ref, content } of existing) {
    const { action, action_parameters: parameters = {} } = content;
    const goesOn = action === 'log' || (action === 'skip' && !skipsRest(content));
    if (!content.enabled || goesOn) {
      continue;
    }
    const met = rules.find(
      (rule) =>
        !areDisjoint(content.expression, rule.content.expression) &&
        !(action === 'block' && parameters['response'] === undefined && rule.content.action === 'block'),
    );
    if (met !== undefined) {
      return `after the custom rules, ${ref} would keep requests from “${oldRuleName(met.old)}”`;
    }
  }
  return null;
}

function active(converted: readonly RuleConversion[]): readonly RuleConversion[] {
  return converted.filter(({ content }) => content.enabled);
}

function areDisjoint(one: string, other: string): boolean {
  const left = treeOf(one);
  const right = treeOf(other);
  return left !== null && right !== null && excludes(left, right);
}

function treeOf(expression: string): Tree | null {
  const parsed = parseExpression(expression);
  return parsed.ok ? parsed.tree : null;
}
