import { groupBy } from '../../model/group-by.ts';
import { namedId } from '../environment/ids.ts';
import { latest } from '../records/ruleset.ts';
import type { StoredRule, StoredRuleset } from '../records/ruleset.ts';
import { entryPointOf } from '../rulesets/visible.ts';
import type { Zone } from '../records/directory.ts';
import type { Store } from '../store/store.ts';
import { rankOf } from './execution-order.ts';
import type { Filter, FirewallList, FirewallRule } from '../records/firewall-rule.ts';
import { deedsOf } from './mapping.ts';

/** The phase whose entry point the old interface shows. */
export const CUSTOM_PHASE = 'http_request_firewall_custom';

/** Returns the entry point that a zone's old interface shows, if there is one. */
export function customEntryPoint(store: Store, zone: Zone): StoredRuleset | undefined {
  return entryPointOf(store, `zones/${zone.id}`, CUSTOM_PHASE);
}

/**
 * With one list: returns the custom rules as old rules and filters, in their order (api.md 9.3). Action, expression,
 * description and state come from the custom rule. What a custom rule cannot hold (ids, priorities, shared filters,
 * whether rule or filter is paused) comes from the records of the old interface, unless they contradict the custom
 * rule.
 */
export function customRulesView(store: Store, zone: Zone): FirewallList {
  const entryPoint = customEntryPoint(store, zone);
  const custom = entryPoint === undefined ? [] : latest(entryPoint).rules;
  const records = groupBy(store.firewallRules.group(zone.id), (record) => record.custom ?? '');
  const links = custom.flatMap((rule) => linksOf(zone, rule, records.get(rule.id) ?? []));
  const { filters, filterOf } = shownFilters(store.filters.group(zone.id), links, zone);
  return { rules: settledPriorities(links.map((link) => shownRule(link, filterOf(link)))), filters };
}

/** An old rule to show, with its custom rule and the record that fits. */
interface Link {
  readonly custom: StoredRule;
  readonly expression: string;
  readonly record: FirewallRule | undefined;
  readonly shown: FirewallRule;
}

function linksOf(zone: Zone, custom: StoredRule, own: readonly FirewallRule[]): readonly Link[] {
  const { definition } = custom;
  const deeds = deedsOf(definition);
  return deeds.map((deed) => {
    const bypass = deed.action === 'bypass';
    const fitting = own.find((record) => (record.action === 'bypass') === bypass);
    const record = fitting ?? (deeds.length === 1 && own.length === 1 ? own[0] : undefined);
    const ownRef = definition.ref === custom.id ? (record?.ref ?? '') : definition.ref;
    const shown: FirewallRule = {
      id: record?.id ?? namedId('firewall rule', custom.id, deeds.length > 1 && bypass ? 'bypass' : ''),
      zone: zone.id,
      ...deed,
      priority: record?.priority ?? null,
      paused: !definition.enabled,
      description: definition.description,
      ref: ownRef,
      filter: record?.filter ?? namedId('filter', custom.id),
      custom: custom.id,
    };
    return { custom, expression: definition.expression ?? '', record, shown };
  });
}

// A filter follows its rules. When rules that shared a filter no longer have the same expression, the filter stays with
// those that kept its expression, or else with the first; the others show a filter of their own.
function shownFilters(stored: readonly Filter[], links: readonly Link[], zone: Zone) {
  const known = new Map(stored.map((filter) => [filter.id, filter]));
  const keepers = new Map<string, string>();
  for (const { shown, expression } of links) {
    const text = keepers.get(shown.filter);
    if (text === undefined || expression === known.get(shown.filter)?.expression) {
      keepers.set(shown.filter, expression);
    }
  }
  const filterId = ({ shown, expression, custom }: Link): string =>
    keepers.get(shown.filter) === expression ? shown.filter : namedId('filter', custom.id, expression);
  const users = groupBy(links, filterId);
  const shown = new Map<string, Filter>();
  for (const filter of stored) {
    const own = users.get(filter.id) ?? [];
    const paused = filter.paused && own.every(({ custom }) => !custom.definition.enabled);
    shown.set(filter.id, { ...filter, expression: own[0]?.expression ?? filter.expression, paused });
  }
  for (const [id, [first]] of users) {
    if (!shown.has(id) && first !== undefined) {
      shown.set(id, plainFilter(zone, id, first.expression));
    }
  }
  const filterOf = (link: Link): Filter =>
    shown.get(filterId(link)) ?? plainFilter(zone, filterId(link), link.expression);
  return { filters: [...shown.values()], filterOf };
}

function plainFilter(zone: Zone, id: string, expression: string): Filter {
  return {
    id,
    zone: zone.id,
    expression,
    paused: false,
    description: '',
    ref: '',
    made: 'alone',
    otherUses: 0,
  };
}

// A custom rule is only on or off; for one that is off, the records tell whether the rule or its filter is paused.
function shownRule({ shown, record }: Link, filter: Filter): FirewallRule {
  const byFilterOnly = filter.paused && record?.paused === false;
  return { ...shown, filter: filter.id, paused: shown.paused && !byFilterOnly };
}

// Priorities are shown as long as they agree with the order of the list, which is what counts.
function settledPriorities(rules: readonly FirewallRule[]): readonly FirewallRule[] {
  const ordered = rules.every((rule, index) => {
    const before = rules[index - 1];
    return before === undefined || rankOf(before) <= rankOf(rule);
  });
  return ordered ? rules : rules.map((rule) => ({ ...rule, priority: null }));
}
