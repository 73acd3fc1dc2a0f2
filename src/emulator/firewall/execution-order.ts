import { firewallActions } from '../records/firewall-rule.ts';
import type { FirewallRule } from '../records/firewall-rule.ts';

/** Above this number of rules, the service orders by priority and action whatever was chosen (api.md 9.1). */
const MAX_LIST_LENGTH = 200;

/**
 * Returns the rules in the order in which they run: by ascending priority, rules without one last. Among equals, the
 * place in the list decides; with priority ordering (chosen, or more than 200 rules), the rank of the action decides
 * first (api.md 9.1).
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

/** Returns a priority as a number for comparison; no priority sorts last. */
export function rankOf(rule: Pick<FirewallRule, 'priority'>): number {
  return rule.priority ?? Number.MAX_SAFE_INTEGER;
}

function actionRank(action: string): number {
  return firewallActions.findIndex((each) => each === action);
}
