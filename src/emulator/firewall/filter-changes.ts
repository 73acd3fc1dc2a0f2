import { zoneOf } from '../call/call.ts';
import type { ScopedCall } from '../call/call.ts';
import { result } from '../protocol/answer.ts';
import type { Answer } from '../protocol/answer.ts';
import { refuse } from '../protocol/refusal.ts';
import type { Refusal } from '../protocol/refusal.ts';
import { notFound } from '../protocol/templates.ts';
import { readChanges, readIds, readOne } from './batch.ts';
import type { Entry } from './batch.ts';
import { changedFilter } from './body.ts';
import type { ChangedFilter } from './body.ts';
import { checkFilterExpression } from './filter-expression.ts';
import { duplicateFilter, filterContent, filterOfPath, findFilter } from './filters.ts';
import type { Filter, FirewallList } from '../records/firewall-rule.ts';
import { showFilter } from './show.ts';
import { inFirewall, readFirewall, saveFirewall } from './world.ts';

/** PUT filters: all filters of the batch must exist; changes all or none (api.md 9.2). */
export const putFilters = inFirewall('Write', (call, list) => {
  const entries = readChanges(call, changedFilter);
  const unknown = entries.find(({ id }) => findFilter(list, id) === undefined);
  if (unknown !== undefined) {
    throw notFound('filter', unknown.id, `${unknown.pointer}/id`);
  }
  change(call, list, entries);
  return shown(call, entries, (filters) => filters);
});

/** PUT one filter. */
export const putFilter = inFirewall('Write', (call, list) => {
  const { id } = filterOfPath(call, list);
  const entry = readOne(call, changedFilter, id);
  change(call, list, [entry]);
  return shown(call, [entry], ([filter]) => filter);
});

/** DELETE filters by `?id=a&id=b`: all or none; unknown ids are ignored (assumed as for rules). */
export const deleteFilters = inFirewall('Write', (call, list) => {
  const ids = readIds(call);
  const present = ids.filter((id) => findFilter(list, id) !== undefined);
  remove(call, list, present);
  return result(present.map((id) => ({ id })));
});

/** DELETE one filter. */
export const deleteFilter = inFirewall('Write', (call, list) => {
  const { id } = filterOfPath(call, list);
  remove(call, list, [id]);
  return result(call.service.switches.singleDeletes === 'list' ? [{ id }] : { id });
});

function change(call: ScopedCall, before: FirewallList, entries: readonly Entry<ChangedFilter>[]): void {
  let { filters } = before;
  for (const { body, id, pointer } of entries) {
    checkMadeAlone(findFilter(before, id), 'changed');
    checkFilterExpression(call, body.expression, `${pointer}/expression`);
    filters = filters.map((each) => (each.id === id ? { ...each, ...filterContent(body) } : each));
  }
  // Only the outcome counts: two filters of a batch may exchange their expressions.
  const changed = new Set(entries.map(({ id }) => id));
  const clash = filters.some(
    ({ id, expression }) =>
      changed.has(id) && filters.some((other) => other.id !== id && other.expression === expression),
  );
  if (clash) {
    throw duplicateFilter();
  }
  saveFirewall(call, before, { ...before, filters });
}

function remove(call: ScopedCall, before: FirewallList, ids: readonly string[]): void {
  for (const id of ids) {
    const user = before.rules.find((rule) => rule.filter === id);
    const filter = findFilter(before, id);
    if (user !== undefined) {
      throw inUse(id, `firewall rule ${user.id}`);
    }
    if (filter !== undefined && filter.otherUses > 0) {
      throw inUse(id, 'other features');
    }
    checkMadeAlone(filter, 'deleted');
  }
  saveFirewall(call, before, {
    ...before,
    filters: before.filters.filter(({ id }) => !ids.includes(id)),
  });
}

function inUse(id: string, user: string): Refusal {
  return refuse(400, `filter ${id} cannot be deleted because it is used by ${user}`);
}

/** Refuses to write a filter that was created together with a rule (specification 4.2 rule 4). */
function checkMadeAlone(filter: Filter | undefined, verb: 'changed' | 'deleted'): void {
  if (filter?.made === 'with_rule') {
    throw refuse(400, `filter ${filter.id} was created together with a firewall rule and cannot be ${verb}`);
  }
}

function shown(
  call: ScopedCall,
  entries: readonly Entry<ChangedFilter>[],
  form: (filters: readonly unknown[]) => unknown,
): Answer {
  const list = readFirewall(call.service.store, zoneOf(call));
  const filters = entries.flatMap(({ id }) => findFilter(list, id) ?? []);
  return result(form(filters.map(showFilter)));
}
