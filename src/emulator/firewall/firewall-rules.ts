import { param, zoneOf } from '../call/call.ts';
import type { ScopedCall } from '../call/call.ts';
import type { ValueOf } from '../decode/body-shape.ts';
import { result } from '../protocol/answer.ts';
import { attempt, decline, Refusal, refuse, notFound } from '../protocol/refusal.ts';
import { notEntitled } from '../rulesets/visible-phases.ts';
import type { Filter, FirewallList, FirewallRule } from '../records/old-records.ts';
import { byValue, byFlag, byPart, narrowedList } from '../listing/list-page.ts';
import type { ListRules } from '../listing/list-page.ts';
import type { WireObject } from '../protocol/wire-object.ts';
import { parseExpression } from '../../expression/index.ts';
import type { ParseError } from '../../expression/index.ts';
import { readBatch, newFirewallRule, newFilter } from './firewall-body.ts';
import type { BodyEntry } from './firewall-body.ts';
import { inFirewall, OVER_QUOTA, readFirewall, saveFirewall } from './firewall-worlds.ts';
import { CUSTOM_PHASE } from './custom-rules-view.ts';

/** Refuses an expression that no filter of the zone may have, for its size, its syntax, or what the plan lacks. */
export function checkFilterExpression(call: ScopedCall, text: string, pointer: string): void {
  const fault = call.service.checkExpression({
    text,
    field: 'expression',
    mode: 'filter',
    phase: CUSTOM_PHASE,
    plan: zoneOf(call).plan,
  });
  if (fault !== undefined) {
    const blank = text.trim() === '';
    const message = blank ? fault.message : (oldParseError(text) ?? fault.message);
    throw refuse(400, message, { code: blank ? fault.code : undefined, pointer });
  }
}

/**
 * Returns the old interface's error for an expression that does not parse: the line in back-quotes, carets below the
 * error, and the reason (api.md 9.2 and its samples). Undefined when the expression parses.
 */
export function oldParseError(text: string): string | undefined {
  const parsed = parseExpression(text, { mode: 'filter' });
  return parsed.ok ? undefined : formatOld(text, parsed.error);
}

function formatOld(text: string, { line, column, length, message }: ParseError): string {
  const shown = text.split('\n')[line - 1] ?? '';
  const carets = ' '.repeat(column + 1) + '^'.repeat(Math.max(1, length));
  return `Filter parsing error:\n\`${shown}\`\n${carets} ${message}\n`;
}

// Undefined members are left out: an empty description or ref (api.md 9.2, recorded), and products of all actions but bypass.

/** Shows a filter as in answers. */
export function showFilter(filter: Filter): WireObject {
  return {
    id: filter.id,
    paused: filter.paused,
    description: filter.description || undefined,
    ref: filter.ref || undefined,
    expression: filter.expression,
  };
}

/** Returns a function that shows the rules of a list, each with its filter inside (specification 2.4, api.md 9.1). */
function ruleViews(list: FirewallList): (rule: FirewallRule) => WireObject {
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

const rules: ListRules<Filter> = {
  bounds: { min: 5, max: 100, standard: 25 },
  narrowings: {
    id: byValue((filter) => filter.id),
    expression: byPart((filter) => filter.expression),
    description: byPart((filter) => filter.description),
    ref: byValue((filter) => filter.ref),
    paused: byFlag((filter) => filter.paused),
  },
  show: showFilter,
};

/** GET filters, page by page (api.md 1.3). */
export const listFilters = inFirewall('Read', (call, list) => narrowedList(call, list.filters, rules));

/** GET one filter. */
export const getFilter = inFirewall('Read', (call, list) => {
  return result(showFilter(filterOfPath(call, list)));
});

/** POST filters: creates all of the batch or none (api.md 9.2). */
export const createFilters = inFirewall('Write', (call, before) => {
  const entries = readBatch(call, newFilter);
  const made: Filter[] = [];
  for (const { body, pointer } of entries) {
    const { expression } = body;
    checkFilterExpression(call, expression, `${pointer}/expression`);
    if ([...before.filters, ...made].some((filter) => filter.expression === expression)) {
      throw duplicateFilter();
    }
    made.push(madeFilter(call, body, 'alone'));
  }
  saveFirewall(call, before, { ...before, filters: [...before.filters, ...made] });
  return result(made.map(showFilter));
});

/** Makes a new filter from a checked body. */
function madeFilter(call: ScopedCall, body: FilterBody, made: Filter['made']): Filter {
  return {
    id: call.service.newId(),
    zone: zoneOf(call).id,
    ...filterContent(body),
    made,
    otherUses: 0,
  };
}

type FilterContent = Pick<Filter, 'expression' | 'paused' | 'description' | 'ref'>;

/** The content of a filter as a body may give it. */
type FilterBody = Partial<FilterContent>;

/** Returns the content of a filter in a checked body; what is absent has its default. */
export function filterContent({
  expression = '',
  paused = false,
  description = '',
  ref = '',
}: FilterBody): FilterContent {
  return { expression, paused, description, ref };
}

/** Makes the refusal of an expression that another filter already has (api.md 9.2). */
export function duplicateFilter(): Refusal {
  return refuse(400, 'config duplicates an already existing config', { code: 10102 });
}

/** Finds the filter that the path of a call names. */
export function filterOfPath(call: ScopedCall, list: FirewallList): Filter {
  const id = param(call, 'filter');
  return findFilter(list, id) ?? decline(notFound('filter', id));
}

/** Finds a filter by its id. */
export function findFilter(list: FirewallList, id: string): Filter | undefined {
  return list.filters.find((filter) => filter.id === id);
}

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
  { body, pointer }: BodyEntry<ValueOf<typeof newFirewallRule>>,
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

type FirewallRuleContent = Omit<FirewallRule, 'id' | 'zone' | 'filter' | 'custom'>;

/** Returns the content of a rule in a checked body; what is absent has its default. */
export function ruleContent({
  action,
  products = [],
  priority = null,
  paused = false,
  description = '',
  ref = '',
}: Pick<FirewallRuleContent, 'action'> & Partial<FirewallRuleContent>): FirewallRuleContent {
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
