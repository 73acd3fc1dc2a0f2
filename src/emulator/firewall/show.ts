import type { JsonObject } from '../json.ts';
import type { Filter, FirewallList, FirewallRule } from './firewall-rule.ts';

/** A filter as answers show it: without a description and ref that are empty (api.md 9.2, recorded). */
export function showFilter(filter: Filter): JsonObject {
  return {
    id: filter.id,
    paused: filter.paused,
    ...described(filter),
    expression: filter.expression,
  };
}

/** Gives how the rules of a list are shown, each with its filter inside (specification 2.4, api.md 9.1). */
export function ruleViews(list: FirewallList): (rule: FirewallRule) => JsonObject {
  const filters = new Map(list.filters.map((filter) => [filter.id, filter]));
  return (rule) => {
    const filter = filters.get(rule.filter);
    return {
      id: rule.id,
      paused: rule.paused,
      ...described(rule),
      action: rule.action,
      ...(rule.products.length === 0 ? {} : { products: rule.products }),
      priority: rule.priority,
      filter: filter === undefined ? { id: rule.filter, deleted: true } : showFilter(filter),
    };
  };
}

function described({ description, ref }: Pick<Filter, 'description' | 'ref'>): JsonObject {
  return { ...(description === '' ? {} : { description }), ...(ref === '' ? {} : { ref }) };
}
