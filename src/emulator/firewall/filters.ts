import { param, zoneOf } from '../call/call.ts';
import type { ScopedCall } from '../call/call.ts';
import { result } from '../protocol/answer.ts';
import { decline, refuse } from '../protocol/refusal.ts';
import type { Refusal } from '../protocol/refusal.ts';
import { notFound } from '../protocol/templates.ts';
import { readBatch } from './batch.ts';
import { newFilter } from './body.ts';
import { checkFilterExpression } from './filter-expression.ts';
import type { Filter, FirewallList } from '../records/firewall-rule.ts';
import { byValue, byFlag, byPart, narrowedList } from '../listing/narrowed-list.ts';
import type { ListRules } from '../listing/narrowed-list.ts';
import { showFilter } from './show.ts';
import { inFirewall, saveFirewall } from './world.ts';

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
export function madeFilter(call: ScopedCall, body: FilterBody, made: Filter['made']): Filter {
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
export type FilterBody = Partial<FilterContent>;

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
