import { inZones, plainRoute } from '../call/route.ts';
import type { Route } from '../call/route.ts';
import { readBody, zoneOf, decodeBody } from '../call/call.ts';
import type { Call, ScopedCall } from '../call/call.ts';
import { object, text } from '../decode/body-shape.ts';
import { nulls, result } from '../protocol/answer.ts';
import type { Answer } from '../protocol/answer.ts';
import { refuse, decline, notFound } from '../protocol/refusal.ts';
import type { Refusal } from '../protocol/refusal.ts';
import type { Filter, FirewallList, FirewallRule } from '../records/old-records.ts';
import type { ObjectShape, ValueOf } from '../decode/body-shape.ts';
import {
  createFilters,
  getFilter,
  listFilters,
  duplicateFilter,
  filterContent,
  filterOfPath,
  findFilter,
  createFirewallRules,
  getFirewallRule,
  listFirewallRules,
  checkAction,
  ruleContent,
  ruleOfPath,
  shownRules,
  oldParseError,
  checkFilterExpression,
  showFilter,
} from './firewall-rules.ts';
import {
  readChanges,
  readIds,
  readOne,
  changedFilter,
  changedFirewallRule,
  changedPriority,
  deletion,
} from './firewall-body.ts';
import type { BodyEntry, ChangedFilter } from './firewall-body.ts';
import { inFirewall, readFirewall, saveFirewall } from './firewall-worlds.ts';

/** A rule, and the entry of a body that changes it. */
interface Changing<Body> {
  readonly rule: FirewallRule;
  readonly entry: BodyEntry<Body>;
}

/** Returns a rule as its entry changes it. */
type FilterChange<Body> = (call: ScopedCall, list: FirewallList, changing: Changing<Body>) => FirewallRule;

/** PUT rules: replaces whole definitions; filters are only referred to, never changed (api.md 9.1). */
const putFirewallRules = changeMany(changedFirewallRule, redefine);

/** PATCH rules: changes priorities only (api.md 9.1). */
const patchFirewallRules = changeMany(changedPriority, prioritise);

/** PUT one rule: answers with the rule. */
const putFirewallRule = changeOne(changedFirewallRule, redefine, ([rule]) => rule);

/** PATCH one rule: answers with a list of one (api.md 9.1). */
const patchFirewallRule = changeOne(changedPriority, prioritise, (rules) => rules);

/** DELETE rules by `?id=a&id=b`: unknown ids are ignored, and without an id nothing is deleted (api.md 9.1). */
const deleteFirewallRules = inFirewall('Write', (call, before) => {
  const ids = readIds(call);
  const rules = before.rules.filter(({ id }) => !ids.includes(id));
  const gone = ids.filter((id) => before.rules.some((rule) => rule.id === id));
  saveFirewall(call, before, { ...before, rules });
  return result(gone.map((id) => ({ id })));
});

/** DELETE one rule; its filter stays, unless the body asks to delete a filter that nothing else uses (api.md 9.1). */
const deleteFirewallRule = inFirewall('Write', (call, before) => {
  const rule = ruleOfPath(call, before);
  const { id } = rule;
  const body = call.bodyText.trim() === '' ? {} : decodeBody(call, deletion);
  const rules = before.rules.filter((each) => each !== rule);
  const unused =
    !rules.some((each) => each.filter === rule.filter) && findFilter(before, rule.filter)?.otherUses === 0;
  const filters =
    unused && body.delete_filter_if_unused === true
      ? before.filters.filter((filter) => filter.id !== rule.filter)
      : before.filters;
  saveFirewall(call, before, { rules, filters });
  return result(call.service.switches.singleDeletes === 'list' ? [{ id }] : { id });
});

function redefine(
  call: ScopedCall,
  list: FirewallList,
  { rule, entry: { body, pointer } }: Changing<ValueOf<typeof changedFirewallRule>>,
): FirewallRule {
  const filter = body.filter.id;
  checkAction(call, body.action);
  return findFilter(list, filter) === undefined
    ? decline(notFound('filter', filter, `${pointer}/filter/id`))
    : { ...rule, ...ruleContent(body), filter };
}

function prioritise(
  _call: ScopedCall,
  _list: FirewallList,
  { rule, entry }: Changing<ValueOf<typeof changedPriority>>,
): FirewallRule {
  return { ...rule, priority: entry.body.priority ?? null };
}

function changeMany<Body>(
  shape: ObjectShape<Body>,
  change: FilterChange<Body>,
): (call: ScopedCall) => Answer {
  return inFirewall('Write', (call, before) => {
    const entries = readChanges(call, shape);
    const unknown = entries.find(({ id }) => !before.rules.some((rule) => rule.id === id));
    if (unknown !== undefined) {
      throw notFound('firewall rule', unknown.id, `${unknown.pointer}/id`);
    }
    const ids = entries.map(({ id }) => id);
    applyChanges(call, before, { entries, change });
    return result(shownRules(call, ids));
  });
}

function changeOne<Body>(
  shape: ObjectShape<Body>,
  change: FilterChange<Body>,
  form: (rules: readonly unknown[]) => unknown,
): (call: ScopedCall) => Answer {
  return inFirewall('Write', (call, before) => {
    const { id } = ruleOfPath(call, before);
    const entry = readOne(call, shape, id);
    applyChanges(call, before, { entries: [entry], change });
    return result(form(shownRules(call, [id])));
  });
}

function applyChanges<Body>(
  call: ScopedCall,
  before: FirewallList,
  { entries, change }: { readonly entries: readonly BodyEntry<Body>[]; readonly change: FilterChange<Body> },
): void {
  const byId = new Map(entries.map((entry) => [entry.id, entry]));
  const rules = before.rules.map((rule) => {
    const entry = byId.get(rule.id);
    return entry === undefined ? rule : change(call, before, { rule, entry });
  });
  saveFirewall(call, before, { ...before, rules });
}

/** PUT filters: all filters of the batch must exist; changes all or none (api.md 9.2). */
const putFilters = inFirewall('Write', (call, list) => {
  const entries = readChanges(call, changedFilter);
  const unknown = entries.find(({ id }) => findFilter(list, id) === undefined);
  if (unknown !== undefined) {
    throw notFound('filter', unknown.id, `${unknown.pointer}/id`);
  }
  change(call, list, entries);
  return shown(call, entries, (filters) => filters);
});

/** PUT one filter. */
const putFilter = inFirewall('Write', (call, list) => {
  const { id } = filterOfPath(call, list);
  const entry = readOne(call, changedFilter, id);
  change(call, list, [entry]);
  return shown(call, [entry], ([filter]) => filter);
});

/** DELETE filters by `?id=a&id=b`: all or none; unknown ids are ignored (assumed as for rules). */
const deleteFilters = inFirewall('Write', (call, list) => {
  const ids = readIds(call);
  const present = ids.filter((id) => findFilter(list, id) !== undefined);
  remove(call, list, present);
  return result(present.map((id) => ({ id })));
});

/** DELETE one filter. */
const deleteFilter = inFirewall('Write', (call, list) => {
  const { id } = filterOfPath(call, list);
  remove(call, list, [id]);
  return result(call.service.switches.singleDeletes === 'list' ? [{ id }] : { id });
});

function change(call: ScopedCall, before: FirewallList, entries: readonly BodyEntry<ChangedFilter>[]): void {
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
  entries: readonly BodyEntry<ChangedFilter>[],
  form: (filters: readonly unknown[]) => unknown,
): Answer {
  const list = readFirewall(call.service.store, zoneOf(call));
  const filters = entries.flatMap(({ id }) => findFilter(list, id) ?? []);
  return result(form(filters.map(showFilter)));
}

const body = object({ expression: text() }, { required: ['expression'] });

/** GET validate-expr: the expression is in the query (api.md 9.2). */
function validateQuery(call: Call): Answer {
  return validate(call.query.get('expression') ?? '');
}

/** POST validate-expr: the expression is in the body (api.md 9.2). */
function validateBody(call: Call): Answer {
  return validate(readBody(call, body).expression);
}

// Checks the syntax only: the path names no zone, so there is no plan to check against.
function validate(expression: string): Answer {
  const problem = oldParseError(expression);
  if (problem !== undefined) {
    throw refuse(400, problem, { messages: null });
  }
  return nulls();
}

const RULES = '/firewall/rules';
const RULE = `${RULES}/:rule`;
const FILTERS = '/filters';
const FILTER = `${FILTERS}/:filter`;
const VALIDATION = `${FILTERS}/validate-expr`;

/** The routes of firewall rules and filters (specification 4.2, api.md 9.1, 9.2). */
export const firewallRoutes: readonly Route[] = [
  inZones('GET', RULES, listFirewallRules),
  inZones('POST', RULES, createFirewallRules),
  inZones('PUT', RULES, putFirewallRules),
  inZones('PATCH', RULES, patchFirewallRules),
  inZones('DELETE', RULES, deleteFirewallRules),
  inZones('GET', RULE, getFirewallRule),
  inZones('PUT', RULE, putFirewallRule),
  inZones('PATCH', RULE, patchFirewallRule),
  inZones('DELETE', RULE, deleteFirewallRule),
  inZones('GET', FILTERS, listFilters),
  inZones('POST', FILTERS, createFilters),
  inZones('PUT', FILTERS, putFilters),
  inZones('DELETE', FILTERS, deleteFilters),
  inZones('GET', FILTER, getFilter),
  inZones('PUT', FILTER, putFilter),
  inZones('DELETE', FILTER, deleteFilter),
  plainRoute('GET', VALIDATION, validateQuery),
  plainRoute('POST', VALIDATION, validateBody),
];
