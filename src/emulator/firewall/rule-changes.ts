import { decodeBody, type ScopedCall } from '../call.ts';
import type { ObjectShape } from '../decode/shape.ts';
import { flagAt, objectAt, numberAt, textAt } from '../json.ts';
import { type Answer, result } from '../protocol/answer.ts';
import { isRefusal, type Refusal } from '../protocol/refusal.ts';
import { type Entry, readChanges, readIds, readOne } from './batch.ts';
import { changedFirewallRule, changedPriority, deletion } from './body.ts';
import { filterNotFound, firewallRuleNotFound, unknownInBatch } from './errors.ts';
import { findFilter } from './filters.ts';
import type { FirewallList, FirewallRule } from './firewall-rule.ts';
import { actionProblem, ruleContent, shownRules } from './rules.ts';
import { inFirewall, saveFirewall } from './world.ts';

/** A rule, and the entry of a body that is about it. */
interface Changing {
  readonly rule: FirewallRule;
  readonly entry: Entry;
}

/** What an entry makes of its rule. */
type Change = (call: ScopedCall, list: FirewallList, changing: Changing) => FirewallRule | Refusal;

/** PUT rules: whole new definitions; filters are only referred to, never changed (api.md 9.1). */
export const putFirewallRules = changeMany(changedFirewallRule, redefine);

/** PATCH rules: priorities alone (api.md 9.1). */
export const patchFirewallRules = changeMany(changedPriority, prioritise);

/** PUT one rule: answers with the rule. */
export const putFirewallRule = changeOne(changedFirewallRule, redefine, ([rule]) => rule);

/** PATCH one rule: answers with a list of one (api.md 9.1). */
export const patchFirewallRule = changeOne(changedPriority, prioritise, (rules) => rules);

/** DELETE rules by `?id=a&id=b`: ids that nobody has are no error; without an id nothing is deleted (api.md 9.1). */
export const deleteFirewallRules = inFirewall('Write', (call, before) => {
  const ids = readIds(call);
  if (isRefusal(ids)) {
    return ids;
  }
  const rules = before.rules.filter(({ id }) => !ids.includes(id));
  const gone = ids.filter((id) => before.rules.some((rule) => rule.id === id));
  return saveFirewall(call, before, { ...before, rules }) ?? result(gone.map((id) => ({ id })));
});

/** DELETE one rule; its filter stays, unless the body asks to delete one that nothing else uses (api.md 9.1). */
export const deleteFirewallRule = inFirewall('Write', (call, before) => {
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
});

function redefine(
  call: ScopedCall,
  list: FirewallList,
  { rule, entry: { body, pointer } }: Changing,
): FirewallRule | Refusal {
  const filter = textAt(objectAt(body, 'filter') ?? {}, 'id') ?? '';
  return (
    actionProblem(call, body) ??
    (findFilter(list, filter) === undefined
      ? filterNotFound(filter, `${pointer}/filter/id`)
      : { ...rule, ...ruleContent(body), filter })
  );
}

function prioritise(_call: ScopedCall, _list: FirewallList, { rule, entry }: Changing): FirewallRule {
  return { ...rule, priority: numberAt(entry.body, 'priority') ?? null };
}

function changeMany(shape: ObjectShape, change: Change): (call: ScopedCall) => Answer | Refusal {
  return inFirewall('Write', (call, before) => {
    const entries = readChanges(call, shape);
    if (isRefusal(entries)) {
      return entries;
    }
    const unknown = entries.find(({ id }) => !before.rules.some((rule) => rule.id === id));
    if (unknown !== undefined) {
      return unknownInBatch('firewall rule', unknown.id, `${unknown.pointer}/id`);
    }
    const ids = entries.map(({ id }) => id);
    return applyChanges(call, before, { entries, change }) ?? result(shownRules(call, ids));
  });
}

function changeOne(
  shape: ObjectShape,
  change: Change,
  form: (rules: readonly unknown[]) => unknown,
): (call: ScopedCall) => Answer | Refusal {
  return inFirewall('Write', (call, before) => {
    const id = call.params['rule'] ?? '';
    if (!before.rules.some((rule) => rule.id === id)) {
      return firewallRuleNotFound(id);
    }
    const entry = readOne(call, shape, id);
    return isRefusal(entry)
      ? entry
      : (applyChanges(call, before, { entries: [entry], change }) ?? result(form(shownRules(call, [id]))));
  });
}

function applyChanges(
  call: ScopedCall,
  before: FirewallList,
  { entries, change }: { readonly entries: readonly Entry[]; readonly change: Change },
): Refusal | undefined {
  const byId = new Map(entries.map((entry) => [entry.id, entry]));
  const rules: FirewallRule[] = [];
  for (const rule of before.rules) {
    const entry = byId.get(rule.id);
    const changed = entry === undefined ? rule : change(call, before, { rule, entry });
    if (isRefusal(changed)) {
      return changed;
    }
    rules.push(changed);
  }
  return saveFirewall(call, before, { ...before, rules });
}
