import { firewallActions } from '../records/firewall-rule.ts';
import type { FirewallRule } from '../records/firewall-rule.ts';

/** From here on the service orders by priority and action, whatever was chosen (api.md 9.1). */
const MAX_LIST_LENGTH = 200;

/**
 * The rules in the order in which they run: the lower priority first, none last; among equals the place in the list, or
 * with priority ordering (chosen, or more than 200 rules) the action's rank and then the place in the list (api.md 9.1).
 */
export function executionOrder(
  rules: readonly FirewallRule[],
  order: 'list' | 'priority',
): readonly FirewallRule[] {
  const byAction = order === 'priority' || rules.length > MAX_LIST_LENGTH;
  return rules.toSorted(
    (a, b) => rankOf(a) - rankOf(b) || (byAction ? actionRank(a.action) - actionRank(b.action) : 0),
  );
}

/** A priority as a number to compare by: none is after all others. */
export function rankOf(rule: Pick<FirewallRule, 'priority'>): number {
  return rule.priority ?? Number.MAX_SAFE_INTEGER;
}

function actionRank(action: string): number {
  return firewallActions.findIndex((each) => each === action);
}
