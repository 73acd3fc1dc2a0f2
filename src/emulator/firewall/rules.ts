import { param, zoneOf } from '../call/call.ts';
import type { ScopedCall } from '../call/call.ts';
import type { ValueOf } from '../decode/shape.ts';
import { result } from '../protocol/answer.ts';
import { attempt, decline, Refusal, refuse } from '../protocol/refusal.ts';
import { notFound } from '../protocol/templates.ts';
import { notEntitled } from '../rulesets/errors.ts';
import { readBatch } from './batch.ts';
import type { Entry } from './batch.ts';
import { newFirewallRule } from './body.ts';
import { checkFilterExpression } from './filter-expression.ts';
import { findFilter, madeFilter } from './filters.ts';
import type { FilterBody } from './filters.ts';
import type { Filter, FirewallList, FirewallRule } from '../records/firewall-rule.ts';
import { byValue, byFlag, byPart, narrowedList } from '../listing/narrowed-list.ts';
import { ruleViews } from './show.ts';
import { inFirewall, OVER_QUOTA, readFirewall, saveFirewall } from './world.ts';

/** GET rules, page by page, in list order (api.md 1.3, 9.1). */
export const listFirewallRules = inFirewall('Read', (call, list) => {
  return narrowedList(call, list.rules, {
    bounds: { min: 5, max: 100, standard: 25 },
    narrowings: {
      id: byValue((rule) => rule.id),
      action: byValue((rule) => rule.action),
      description: byPart((rule) => rule.description),
      paused: byFlag((rule) => rule.paused),
    },
    show: ruleViews(list),
  });
});

/** GET one rule. */
export const getFirewallRule = inFirewall('Read', (call, list) => {
  return result(ruleViews(list)(ruleOfPath(call, list)));
});

/** Finds the rule that the path of a call names. */
export function ruleOfPath(call: ScopedCall, list: FirewallList): FirewallRule {
  const id = param(call, 'rule');
  return list.rules.find((rule) => rule.id === id) ?? decline(notFound('firewall rule', id));
}

/**
 * POST rules: creates the whole batch or nothing, each rule with an existing filter or with a new one that is created
 * with it (specification 4.2 rules 1 and 2). Only when the rule quota is exceeded may the new filters stay without
 * rules (rule 3).
 */
export const createFirewallRules = inFirewall('Write', (call, before) => {
  const entries = readBatch(call, newFirewallRule);
  let next = before;
  for (const [index, entry] of entries.entries()) {
    next = withRule(call, next, entry, index);
  }
  const problem = attempt(() => saveFirewall(call, before, next));
  if (problem instanceof Refusal) {
    const isQuota = problem.errors.some(({ code }) => code === OVER_QUOTA);
    if (!isQuota || call.service.switches.filtersOverQuota === 'undone') {
      throw problem;
    }
    saveFirewall(call, before, { ...before, filters: next.filters });
    throw new Refusal(problem.status, problem.errors, { ...problem.extras, keeps: true });
  }
  const made = next.rules.slice(before.rules.length).map(({ id }) => id);
  return result(shownRules(call, made));
});

function withRule(
  call: ScopedCall,
  list: FirewallList,
  { body, pointer }: Entry<ValueOf<typeof newFirewallRule>>,
  index: number,
): FirewallList {
  checkAction(call, body.action);
  const filter = filterFor(call, list, { body: body.filter, pointer, index });
  const rule: FirewallRule = {
    id: call.service.newId(),
    zone: zoneOf(call).id,
    ...ruleContent(body),
    filter: filter.id,
  };
  const filters = list.filters.includes(filter) ? list.filters : [...list.filters, filter];
  return { rules: [...list.rules, rule], filters };
}

// An id takes precedence over an expression, because clients send back whole filters.
function filterFor(
  call: ScopedCall,
  list: FirewallList,
  {
    body,
    pointer,
    index,
  }: {
    readonly body: FilterBody & { readonly id?: string };
    readonly pointer: string;
    readonly index: number;
  },
): Filter {
  const { id = '', expression = '' } = body;
  if (id !== '') {
    return findFilter(list, id) ?? decline(notFound('filter', id, `${pointer}/filter/id`));
  }
  checkFilterExpression(call, expression, `${pointer}/filter/expression`);
  if (list.filters.some((filter) => filter.expression === expression)) {
    throw refuse(400, `filter at index ${index} already exists`, { code: 10202 });
  }
  return madeFilter(call, body, 'with_rule');
}

type RuleContent = Omit<FirewallRule, 'id' | 'zone' | 'filter' | 'custom'>;

/** Returns the content of a rule in a checked body; what is absent has its default. */
export function ruleContent({
  action,
  products = [],
  priority = null,
  paused = false,
  description = '',
  ref = '',
}: Pick<RuleContent, 'action'> & Partial<RuleContent>): RuleContent {
  return { action, products, priority, paused, description, ref };
}

/** Refuses an action that the zone's plan does not include: only Enterprise has `log` (api.md 9.1). */
export function checkAction(call: ScopedCall, action: string): void {
  if (action === 'log' && zoneOf(call).plan !== 'enterprise') {
    throw notEntitled('the log action', 'an Enterprise plan');
  }
}

/** Shows the current state of some rules, for an answer. */
export function shownRules(call: ScopedCall, ids: readonly string[]): readonly unknown[] {
  const list = readFirewall(call.service.store, zoneOf(call));
  const rules = new Map(list.rules.map((rule) => [rule.id, rule]));
  return ids.flatMap((id) => rules.get(id) ?? []).map(ruleViews(list));
}
