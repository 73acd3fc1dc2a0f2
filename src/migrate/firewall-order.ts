import type { FirewallOrder, OldFirewallRule } from '../model/index.ts';

/** With more rules than this, the service orders by priority, whatever was chosen (api.md 9.1). */
const MAX_LIST_LENGTH = 200;

/** The actions in their order among rules of equal priority (api.md 9.1). */
const PRECEDENCE: readonly string[] = [
  'log',
  'bypass',
  'allow',
  'challenge',
  'managed_challenge',
  'js_challenge',
  'block',
];

/** The order of execution; or that the two possible orders differ, and nobody has said which one holds. */
export type OrderDecision =
  | {
      readonly kind: 'ordered';
      readonly order: FirewallOrder;
      readonly rules: readonly OldFirewallRule[];
      readonly reason: 'chosen' | 'same' | 'no-priorities' | 'long-list';
    }
  | { readonly kind: 'ask'; readonly first: { readonly list: string; readonly priority: string } };

/** Returns the rules in one of the orders. Stable: rules that compare equal stay as listed. */
export function inOrder(rules: readonly OldFirewallRule[], order: FirewallOrder): readonly OldFirewallRule[] {
  return order === 'list'
    ? rules
    : rules.toSorted((a, b) => rank(a) - rank(b) || precedence(a.action) - precedence(b.action));
}

/**
 * Decides in which order the rules run, unless it was chosen. Without any priority, it is that of the list; with more than 200 rules, that of
 * priorities (api.md 9.1); where both orders are the same, there is nothing to ask.
 */
export function decideOrder(
  rules: readonly OldFirewallRule[],
  chosen: FirewallOrder | undefined,
): OrderDecision {
  const ordered = (
    order: FirewallOrder,
    reason: Extract<OrderDecision, { readonly kind: 'ordered' }>['reason'],
  ): OrderDecision => ({ kind: 'ordered', order, rules: inOrder(rules, order), reason });
  if (chosen !== undefined) {
    return ordered(chosen, 'chosen');
  }
  if (rules.length > MAX_LIST_LENGTH) {
    return ordered('priority', 'long-list');
  }
  if (rules.every(({ priority }) => priority === null)) {
    return ordered('list', 'no-priorities');
  }
  const byPriority = inOrder(rules, 'priority');
  const place = rules.findIndex((rule, index) => rule !== byPriority[index]);
  const list = rules[place];
  const priority = byPriority[place];
  return list === undefined || priority === undefined
    ? ordered('list', 'same')
    : { kind: 'ask', first: { list: list.id, priority: priority.id } };
}

function rank({ priority }: OldFirewallRule): number {
  return priority ?? Number.MAX_SAFE_INTEGER;
}

function precedence(action: string): number {
  return PRECEDENCE.indexOf(action);
}
