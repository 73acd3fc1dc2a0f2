import type { StoredRule } from '../records/ruleset.ts';
import { rankOf } from './execution-order.ts';
import type { FirewallRule } from '../records/firewall-rule.ts';

/**
 * Orders the rules for one list, where a priority is a place (api.md 9.3): rules with a new or changed priority go
 * behind all rules with the same or a lower number, and new rules without one go to the end; all others keep their
 * order.
 */
export function orderByPriority(
  before: readonly FirewallRule[],
  next: readonly FirewallRule[],
): readonly FirewallRule[] {
  const old = new Map(before.map((rule) => [rule.id, rule]));
  const moving = next.filter((rule) => old.get(rule.id)?.priority !== rule.priority);
  const order = next.filter((rule) => !moving.includes(rule));
  for (const rule of moving) {
    const behind = order.findIndex((other) => rankOf(other) > rankOf(rule));
    order.splice(behind < 0 ? order.length : behind, 0, rule);
  }
  return order;
}

/**
 * Puts the rules that the old interface hides back behind the rule before them, or behind the nearest one before that
 * is left.
 */
export function interleave(
  old: readonly StoredRule[],
  hidden: readonly StoredRule[],
  shown: readonly StoredRule[],
): readonly StoredRule[] {
  const result = [...shown];
  for (const rule of hidden) {
    const ahead = old.slice(0, old.indexOf(rule)).toReversed();
    const neighbour = ahead
      .map(({ id }) => result.findIndex((other) => other.id === id))
      .find((place) => place >= 0);
    result.splice((neighbour ?? -1) + 1, 0, rule);
  }
  return result;
}
