import { decodeBody } from '../call/call.ts';
import type { ScopedCall } from '../call/call.ts';
import type { ObjectShape, ValueOf } from '../decode/shape.ts';
import { result } from '../protocol/answer.ts';
import type { Answer } from '../protocol/answer.ts';
import { decline } from '../protocol/refusal.ts';
import { notFound } from '../protocol/templates.ts';
import { readChanges, readIds, readOne } from './batch.ts';
import type { Entry } from './batch.ts';
import { changedFirewallRule, changedPriority, deletion } from './body.ts';
import { findFilter } from './filters.ts';
import type { FirewallList, FirewallRule } from '../records/firewall-rule.ts';
import { checkAction, ruleContent, ruleOfPath, shownRules } from './rules.ts';
import { inFirewall, saveFirewall } from './world.ts';

/** A rule, and the entry of a body that changes it. */
interface Changing<Body> {
  readonly rule: FirewallRule;
  readonly entry: Entry<Body>;
}

/** Returns a rule as its entry changes it. */
type Change<Body> = (call: ScopedCall, list: FirewallList, changing: Changing<Body>) => FirewallRule;

/** PUT rules: replaces whole definitions; filters are only referred to, never changed (api.md 9.1). */
export const putFirewallRules = changeMany(changedFirewallRule, redefine);

/** PATCH rules: changes priorities only (api.md 9.1). */
export const patchFirewallRules = changeMany(changedPriority, prioritise);

/** PUT one rule: answers with the rule. */
export const putFirewallRule = changeOne(changedFirewallRule, redefine, ([rule]) => rule);

/** PATCH one rule: answers with a list of one (api.md 9.1). */
export const patchFirewallRule = changeOne(changedPriority, prioritise, (rules) => rules);

/** DELETE rules by `?id=a&id=b`: unknown ids are ignored, and without an id nothing is deleted (api.md 9.1). */
export const deleteFirewallRules = inFirewall('Write', (call, before) => {
  const ids = readIds(call);
  const rules = before.rules.filter(({ id }) => !ids.includes(id));
  const gone = ids.filter((id) => before.rules.some((rule) => rule.id === id));
  saveFirewall(call, before, { ...before, rules });
  return result(gone.map((id) => ({ id })));
});

/** DELETE one rule; its filter stays, unless the body asks to delete a filter that nothing else uses (api.md 9.1). */
export const deleteFirewallRule = inFirewall('Write', (call, before) => {
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

function changeMany<Body>(shape: ObjectShape<Body>, change: Change<Body>): (call: ScopedCall) => Answer {
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
  change: Change<Body>,
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
  { entries, change }: { readonly entries: readonly Entry<Body>[]; readonly change: Change<Body> },
): void {
  const byId = new Map(entries.map((entry) => [entry.id, entry]));
  const rules = before.rules.map((rule) => {
    const entry = byId.get(rule.id);
    return entry === undefined ? rule : change(call, before, { rule, entry });
  });
  saveFirewall(call, before, { ...before, rules });
}
