import { zoneOf } from '../call/call.ts';
import type { ScopedCall } from '../call/call.ts';
import { attempt, Refusal } from '../protocol/refusal.ts';
import { newRule, redefined } from '../rulesets/rule-identity.ts';
import type { SettledRule, WriteContext } from '../rulesets/rule-identity.ts';
import { newRuleset } from '../rulesets/visible-phases.ts';
import { latest } from '../records/ruleset-record.ts';
import type { RuleDefinition, StoredRule } from '../records/ruleset-record.ts';
import { storeNext, writeContext } from '../rulesets/write-ruleset.ts';
import type { Filter, FirewallList, FirewallRule } from '../records/old-records.ts';
import {
  CUSTOM_PHASE,
  customEntryPoint,
  customAction,
  deedsOf,
  sameDeeds,
  rankOf,
} from './custom-rules-view.ts';
import { saveRecords } from './firewall-records.ts';

/** A custom rule to write, with the one or two old rules that it represents. */
interface Written {
  readonly rule: StoredRule;
  readonly shows: readonly FirewallRule[];
}

/**
 * Writes a changed list of old rules to the custom rules that it shows, as one new version of the entry point (none
 * when no custom rule changes, but only ids, filters without rules and the like), and stores what custom rules cannot
 * hold. What the old interface does not show is kept: other rules in their place, block responses, details of skip
 * rules (api.md 9.3).
 */
export function saveCustomRules(call: ScopedCall, before: FirewallList, next: FirewallList): void {
  const { store } = call.service;
  const zone = zoneOf(call);
  const existing = customEntryPoint(store, zone);
  const old = existing === undefined ? [] : latest(existing).rules;
  const rules = orderByPriority(before.rules, next.rules);
  const ruleset = existing ?? newRuleset(call, { name: 'default', kind: 'zone', phase: CUSTOM_PHASE });
  const context = writeContext(call, ruleset);
  const written = writeRules(context, { old, rules, filters: next.filters });
  const hidden = old.filter(({ definition }) => deedsOf(definition).length === 0);
  const list = interleave(
    old,
    hidden,
    written.map(({ rule }) => rule),
  );
  if (list.length !== old.length || list.some((rule, index) => rule !== old[index])) {
    const settled: readonly SettledRule[] = list.map((rule) => ({
      rule,
      pointer: old.includes(rule) ? undefined : '',
    }));
    const outcome = attempt(() => storeNext(context, ruleset, { settled }));
    if (outcome instanceof Refusal) {
      // The pointers refer to a body of the Rulesets interface, which the client did not send.
      const errors = outcome.errors.map(({ code, message }) => ({ code, message }));
      throw new Refusal(outcome.status, errors, outcome.extras);
    }
  }
  keepRecords(call, next.filters, written);
}

function writeRules(
  context: WriteContext,
  {
    old,
    rules,
    filters,
  }: {
    readonly old: readonly StoredRule[];
    readonly rules: readonly FirewallRule[];
    readonly filters: readonly Filter[];
  },
): readonly Written[] {
  const known = new Map(old.map((rule) => [rule.id, rule]));
  const filterOf = new Map(filters.map((filter) => [filter.id, filter]));
  const refs = new Set(
    old.filter(({ definition }) => deedsOf(definition).length === 0).map(({ definition }) => definition.ref),
  );
  const used = new Set<string>();
  return paired(rules).map((shows) => {
    const [first] = shows;
    const base = first.custom === undefined || used.has(first.custom) ? undefined : known.get(first.custom);
    used.add(base?.id ?? '');
    const definition = definitionOf(shows, filterOf.get(first.filter), base);
    const wanted = first.ref === '' ? (base?.definition.ref ?? '') : first.ref;
    // Refs are unique among custom rules but were not among old rules: a second rule with the same ref goes without.
    const ref = wanted === '' || refs.has(wanted) ? undefined : wanted;
    const rule =
      base === undefined
        ? newRule(context, definition, ref)
        : redefined(base, { ...definition, ref: ref ?? base.id }, context.stamp);
    refs.add(rule.definition.ref);
    return { rule, shows };
  });
}

/** Returns the definition that old rules ask for, on top of the parts of their custom rule that the old interface hides. */
function definitionOf(
  shows: readonly [FirewallRule, ...FirewallRule[]],
  filter: Filter | undefined,
  base: StoredRule | undefined,
): Omit<RuleDefinition, 'ref'> {
  const [first] = shows;
  const said = {
    expression: filter?.expression ?? '',
    description: first.description,
    enabled: !first.paused && filter?.paused !== true,
  };
  return base !== undefined && sameDeeds(deedsOf(base.definition), shows)
    ? { ...base.definition, ...said }
    : { ...customAction(shows), ...said };
}

/** Groups an allow and a bypass that were one custom rule, as long as they agree in everything else. */
function paired(rules: readonly FirewallRule[]): readonly (readonly [FirewallRule, ...FirewallRule[]])[] {
  const groups: [FirewallRule, ...FirewallRule[]][] = [];
  for (const rule of rules) {
    const last = groups.at(-1);
    if (last?.length === 1 && areOne(last[0], rule)) {
      last.push(rule);
    } else {
      groups.push([rule]);
    }
  }
  return groups;
}

function areOne(left: FirewallRule, right: FirewallRule): boolean {
  return (
    left.custom !== undefined &&
    left.custom === right.custom &&
    left.action === 'allow' &&
    right.action === 'bypass' &&
    left.filter === right.filter &&
    left.paused === right.paused &&
    left.description === right.description
  );
}

function keepRecords(call: ScopedCall, filters: readonly Filter[], written: readonly Written[]): void {
  const records = written.flatMap(({ rule, shows }) => shows.map((each) => ({ ...each, custom: rule.id })));
  saveRecords(call.service.store, zoneOf(call), { rules: records, filters });
}

/**
 * Orders the rules for one list, where a priority is a place (api.md 9.3): rules with a new or changed priority go
 * behind all rules with the same or a lower number, and new rules without one go to the end; all others keep their
 * order.
 */
function orderByPriority(
  before: readonly FirewallRule[],
  next: readonly FirewallRule[],
): readonly FirewallRule[] {
  const old = new Map(before.map((rule) => [rule.id, rule]));
  const moving = next.filter((rule) => old.get(rule.id)?.priority !== rule.priority);
  const order = next.filter((rule) => !moving.includes(rule));
  for (const rule of moving) {
    const behind = order.findIndex((other) => rankOf(other) > rankOf(rule));
    order.splice(behind < 0 ? order.length : behind, 0, rule);
  }
  return order;
}

/**
 * Puts the rules that the old interface hides back behind the rule before them, or behind the nearest one before that
 * is left.
 */
function interleave(
  old: readonly StoredRule[],
  hidden: readonly StoredRule[],
  shown: readonly StoredRule[],
): readonly StoredRule[] {
  const result = [...shown];
  for (const rule of hidden) {
    const ahead = old.slice(0, old.indexOf(rule)).toReversed();
    const neighbour = ahead
      .map(({ id }) => result.findIndex((other) => other.id === id))
      .find((place) => place >= 0);
    result.splice((neighbour ?? -1) + 1, 0, rule);
  }
  return result;
}
