import type { ScopedCall } from '../call.ts';
import { type Answer, result } from '../protocol/answer.ts';
import { isRefusal, type Refusal } from '../protocol/refusal.ts';
import { textAt } from '../json.ts';
import { zoneOf } from '../zone-objects.ts';
import { type Entry, readChanges, readIds, readOne } from './batch.ts';
import { changedFilter as changedFilterBody } from './body.ts';
import { duplicateFilter, filterInUse, filterNotFound, filterOfRule, unknownInBatch } from './errors.ts';
import { filterExpressionProblem } from './filter-expression.ts';
import { changedFilter, findFilter } from './filters.ts';
import type { FirewallList } from './firewall-rule.ts';
import { showFilter } from './show.ts';
import { inFirewall, readFirewall, saveFirewall } from './world.ts';

/** PUT filters: all of the batch must exist, and all are changed or none (api.md 9.2). */
export const putFilters = inFirewall('Write', (call, list) => {
  const entries = readChanges(call, changedFilterBody);
  if (isRefusal(entries)) {
    return entries;
  }
  const unknown = entries.find(({ id }) => findFilter(list, id) === undefined);
  if (unknown !== undefined) {
    return unknownInBatch('filter', unknown.id, `${unknown.pointer}/id`);
  }
  return change(call, list, entries) ?? shown(call, entries, (filters) => filters);
});

/** PUT one filter. */
export const putFilter = inFirewall('Write', (call, list) => {
  const id = call.params['filter'] ?? '';
  if (findFilter(list, id) === undefined) {
    return filterNotFound(id);
  }
  const entry = readOne(call, changedFilterBody, id);
  if (isRefusal(entry)) {
    return entry;
  }
  return change(call, list, [entry]) ?? shown(call, [entry], ([filter]) => filter);
});

/** DELETE filters by `?id=a&id=b`: all or none; ids that nobody has are no error (assumed as for rules). */
export const deleteFilters = inFirewall('Write', (call, list) => {
  const ids = readIds(call);
  if (isRefusal(ids)) {
    return ids;
  }
  const present = ids.filter((id) => findFilter(list, id) !== undefined);
  return remove(call, list, present) ?? result(present.map((id) => ({ id })));
});

/** DELETE one filter. */
export const deleteFilter = inFirewall('Write', (call, list) => {
  const id = call.params['filter'] ?? '';
  if (findFilter(list, id) === undefined) {
    return filterNotFound(id);
  }
  const asList = call.service.switches.singleDeletes === 'list';
  return remove(call, list, [id]) ?? result(asList ? [{ id }] : { id });
});

function change(call: ScopedCall, before: FirewallList, entries: readonly Entry[]): Refusal | undefined {
  let { filters } = before;
  for (const entry of entries) {
    const expression = textAt(entry.body, 'expression') ?? '';
    const filter = findFilter(before, entry.id);
    if (filter?.made === 'with_rule') {
      return filterOfRule(entry.id, 'changed');
    }
    const problem = filterExpressionProblem(call, expression, `${entry.pointer}/expression`);
    if (problem !== undefined) {
      return problem;
    }
    filters = filters.map((each) => (each.id === entry.id ? changedFilter(each, entry) : each));
  }
  // Only the outcome counts: two filters of a batch may exchange their expressions.
  const changed = new Set(entries.map(({ id }) => id));
  const clash = filters.some(
    ({ id, expression }) =>
      changed.has(id) && filters.some((other) => other.id !== id && other.expression === expression),
  );
  return clash ? duplicateFilter() : saveFirewall(call, before, { ...before, filters });
}

function remove(call: ScopedCall, before: FirewallList, ids: readonly string[]): Refusal | undefined {
  for (const id of ids) {
    const user = before.rules.find((rule) => rule.filter === id);
    const filter = findFilter(before, id);
    if (user !== undefined) {
      return filterInUse(id, `firewall rule ${user.id}`);
    }
    if (filter !== undefined && filter.otherUses > 0) {
      return filterInUse(id, 'other features');
    }
    if (filter?.made === 'with_rule') {
      return filterOfRule(id, 'deleted');
    }
  }
  return saveFirewall(call, before, {
    ...before,
    filters: before.filters.filter(({ id }) => !ids.includes(id)),
  });
}

function shown(
  call: ScopedCall,
  entries: readonly Entry[],
  form: (filters: readonly unknown[]) => unknown,
): Answer {
  const list = readFirewall(call.service.store, zoneOf(call));
  const filters = entries.flatMap(({ id }) => findFilter(list, id) ?? []);
  return result(form(filters.map(showFilter)));
}
