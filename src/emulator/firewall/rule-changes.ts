import { decodeBody, type ScopedCall } from '../call.ts';
import { flagAt, objectAt, numberAt, textAt } from '../json.ts';
import { type Answer, result } from '../protocol/answer.ts';
import { isRefusal, type Refusal } from '../protocol/refusal.ts';
import { zoneOf } from '../zone-objects.ts';
import { type Entry, readChanges, readIds, readOne } from './batch.ts';
import { changedFirewallRule, changedPriority, deletion } from './body.ts';
import { filterNotFound, firewallRuleNotFound, unknownInBatch } from './errors.ts';
import { findFilter } from './filters.ts';
import type { FirewallList, FirewallRule } from './firewall-rule.ts';
import { actionProblem, ruleContent, shownRules } from './rules.ts';
import { ruleViews } from './show.ts';
import { openFirewall, readFirewall, saveFirewall } from './world.ts';

/** What an entry makes of its rule. */
type Change = (rule: FirewallRule, entry: Entry, list: FirewallList) => FirewallRule | Refusal;

/** PUT rules: whole new definitions; filters are only referred to, never changed (api.md 9.1). */
export function putFirewallRules(call: ScopedCall): Answer | Refusal {
  return changeMany(call, changedFirewallRule, redefine(call));
}

/** PATCH rules: priorities alone (api.md 9.1). */
export function patchFirewallRules(call: ScopedCall): Answer | Refusal {
  return changeMany(call, changedPriority, prioritise);
}

/** PUT one rule: answers with the rule. */
export function putFirewallRule(call: ScopedCall): Answer | Refusal {
  const id = changeOne(call, changedFirewallRule, redefine(call));
  if (isRefusal(id)) {
    return id;
  }
  const list = readFirewall(call.service.store, zoneOf(call));
  const rule = list.rules.find((each) => each.id === id);
  return rule === undefined ? firewallRuleNotFound(id) : result(ruleViews(list)(rule));
}

/** PATCH one rule: answers with a list of one (api.md 9.1). */
export function patchFirewallRule(call: ScopedCall): Answer | Refusal {
  const id = changeOne(call, changedPriority, prioritise);
  return isRefusal(id) ? id : shownRules(call, [id]);
}

/** DELETE rules by `?id=a&id=b`: ids that nobody has are no error; without an id nothing is deleted (api.md 9.1). */
export function deleteFirewallRules(call: ScopedCall): Answer | Refusal {
  const before = openFirewall(call, 'Write');
  if (isRefusal(before)) {
    return before;
  }
  const ids = readIds(call);
  if (isRefusal(ids)) {
    return ids;
  }
  const rules = before.rules.filter(({ id }) => !ids.includes(id));
  const gone = ids.filter((id) => before.rules.some((rule) => rule.id === id));
  return saveFirewall(call, before, { ...before, rules }) ?? result(gone.map((id) => ({ id })));
}

/** DELETE one rule; its filter stays, unless the body asks to delete one that nothing else uses (api.md 9.1). */
export function deleteFirewallRule(call: ScopedCall): Answer | Refusal {
  const before = openFirewall(call, 'Write');
  if (isRefusal(before)) {
    return before;
  }
  const id = call.params['rule'] ?? '';
  const rule = before.rules.find((each) => each.id === id);
  if (rule === undefined) {
    return firewallRuleNotFound(id);
  }
  const body = call.bodyText.trim() === '' ? {} : decodeBody(call, deletion);
  if (isRefusal(body)) {
    return body;
  }
  const rules = before.rules.filter((each) => each !== rule);
  const unused =
    !rules.some((each) => each.filter === rule.filter) && findFilter(before, rule.filter)?.otherUses === 0;
  const filters =
    unused && flagAt(body, 'delete_filter_if_unused') === true
      ? before.filters.filter((filter) => filter.id !== rule.filter)
      : before.filters;
  const asList = call.service.switches.singleDeletes === 'list';
  return saveFirewall(call, before, { rules, filters }) ?? result(asList ? [{ id }] : { id });
}

function redefine(call: ScopedCall): Change {
  return (rule, { body, pointer }, list) => {
    const filter = textAt(objectAt(body, 'filter') ?? {}, 'id') ?? '';
    return (
      actionProblem(call, body) ??
      (findFilter(list, filter) === undefined
        ? filterNotFound(filter, `${pointer}/filter/id`)
        : { ...rule, ...ruleContent(body), filter })
    );
  };
}

const prioritise: Change = (rule, { body }) => ({ ...rule, priority: numberAt(body, 'priority') ?? null });

function changeMany(
  call: ScopedCall,
  shape: Parameters<typeof readChanges>[1],
  change: Change,
): Answer | Refusal {
  const before = openFirewall(call, 'Write');
  if (isRefusal(before)) {
    return before;
  }
  const entries = readChanges(call, shape);
  if (isRefusal(entries)) {
    return entries;
  }
  const unknown = entries.find(({ id }) => !before.rules.some((rule) => rule.id === id));
  if (unknown !== undefined) {
    return unknownInBatch('firewall rule', unknown.id, `${unknown.pointer}/id`);
  }
  return (
    applyChanges(call, before, entries, change) ??
    shownRules(
      call,
      entries.map(({ id }) => id),
    )
  );
}

function changeOne(call: ScopedCall, shape: Parameters<typeof readOne>[1], change: Change): string | Refusal {
  const before = openFirewall(call, 'Write');
  if (isRefusal(before)) {
    return before;
  }
  const id = call.params['rule'] ?? '';
  if (!before.rules.some((rule) => rule.id === id)) {
    return firewallRuleNotFound(id);
  }
  const entry = readOne(call, shape, id);
  return isRefusal(entry) ? entry : (applyChanges(call, before, [entry], change) ?? id);
}

function applyChanges(
  call: ScopedCall,
  before: FirewallList,
  entries: readonly Entry[],
  change: Change,
): Refusal | undefined {
  const byId = new Map(entries.map((entry) => [entry.id, entry]));
  const rules: FirewallRule[] = [];
  for (const rule of before.rules) {
    const entry = byId.get(rule.id);
    const changed = entry === undefined ? rule : change(rule, entry, before);
    if (isRefusal(changed)) {
      return changed;
    }
    rules.push(changed);
  }
  return saveFirewall(call, before, { ...before, rules });
}
