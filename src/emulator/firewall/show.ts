import type { JsonObject } from '../protocol/json.ts';
import type { Filter, FirewallList, FirewallRule } from '../records/firewall-rule.ts';

// Undefined members are left out: an empty description or ref (api.md 9.2, recorded), and products of all actions but bypass.

/** Shows a filter as in answers. */
export function showFilter(filter: Filter): JsonObject {
  return {
    id: filter.id,
    paused: filter.paused,
    description: filter.description || undefined,
    ref: filter.ref || undefined,
    expression: filter.expression,
  };
}

/** Returns a function that shows the rules of a list, each with its filter inside (specification 2.4, api.md 9.1). */
export function ruleViews(list: FirewallList): (rule: FirewallRule) => JsonObject {
  const filters = new Map(list.filters.map((filter) => [filter.id, filter]));
  return (rule) => {
    const filter = filters.get(rule.filter);
    return {
      id: rule.id,
      paused: rule.paused,
      description: rule.description || undefined,
      ref: rule.ref || undefined,
      action: rule.action,
      products: rule.products.length === 0 ? undefined : rule.products,
      priority: rule.priority,
      filter: filter === undefined ? { id: rule.filter, deleted: true } : showFilter(filter),
    };
  };
}
