import { groupBy } from '../../data/index.ts';
import { namedId } from '../environment/service-clock.ts';
import { latest } from '../records/ruleset-record.ts';
import type { StoredRule, StoredRuleset, RuleDefinition } from '../records/ruleset-record.ts';
import { entryPointOf } from '../rulesets/visible-phases.ts';
import type { Zone } from '../records/directory-record.ts';
import type { Store } from '../store/store.ts';
import type { Filter, FirewallList, FirewallRule } from '../records/old-records.ts';
import { textAt, textsAt } from '../protocol/wire-object.ts';
import type { WireObject } from '../protocol/wire-object.ts';
import { bypassProducts, firewallActions } from '../records/old-records.ts';

/** Above this number of rules, the service orders by priority and action whatever was chosen (api.md 9.1). */
const MAX_LIST_LENGTH = 200;

/**
 * Returns the rules in the order in which they run: by ascending priority, rules without one last. Among equals, the
 * place in the list decides; with priority ordering (chosen, or more than 200 rules), the rank of the action decides
 * first (api.md 9.1).
 */
export function executionOrder(
  rules: readonly FirewallRule[],
  order: 'list' | 'priority',
): readonly FirewallRule[] {
  const byAction = order === 'priority' || rules.length > MAX_LIST_LENGTH;
  return rules.toSorted(
    (a, b) => rankOf(a) - rankOf(b) || (byAction ? actionRank(a.action) - actionRank(b.action) : 0),
  );
}

/** Returns a priority as a number for comparison; no priority sorts last. */
export function rankOf(rule: Pick<FirewallRule, 'priority'>): number {
  return rule.priority ?? Number.MAX_SAFE_INTEGER;
}

function actionRank(action: string): number {
  return firewallActions.findIndex((each) => each === action);
}

/** What an old rule does: its action, and the products that a bypass skips. */
export type Deed = Pick<FirewallRule, 'action' | 'products'>;

/** The products that a custom rule skips as phases of the new engine (api.md 9.3). */
const PHASES: Readonly<Record<string, string>> = {
  rateLimit: 'http_ratelimit',
  waf: 'http_request_firewall_managed',
};

const SAME_ACTION = ['block', 'challenge', 'js_challenge', 'managed_challenge', 'log'];

/**
 * Returns what a custom rule does in terms of the old interface: one deed; two for a skip that both allows and
 * bypasses; none for what the old interface cannot express, such as `execute` or skipping single managed rules
 * (api.md 9.3).
 */
export function deedsOf(definition: RuleDefinition): readonly Deed[] {
  if (SAME_ACTION.includes(definition.action)) {
    return [{ action: definition.action, products: [] }];
  }
  if (definition.action !== 'skip') {
    return [];
  }
  const parameters = definition.action_parameters ?? {};
  const phases = textsAt(parameters, 'phases');
  const named = textsAt(parameters, 'products');
  const products = bypassProducts.filter(
    (product) => named.includes(product) || phases.includes(PHASES[product] ?? product),
  );
  return [
    ...(textAt(parameters, 'ruleset') === 'current' ? [{ action: 'allow', products: [] }] : []),
    ...(products.length === 0 ? [] : [{ action: 'bypass', products }]),
  ];
}

/**
 * Returns the action and parameters of a custom rule that does the same as one old rule, or as an allow and a bypass
 * together.
 */
export function customAction(
  deeds: readonly Deed[],
): Pick<RuleDefinition, 'action' | 'action_parameters' | 'logging'> {
  const action = deeds[0]?.action ?? '';
  if (SAME_ACTION.includes(action)) {
    return { action };
  }
  const products = deeds.flatMap((deed) => deed.products);
  const phases = products.flatMap((product) => PHASES[product] ?? []);
  const others = products.filter((product) => PHASES[product] === undefined);
  const parameters: WireObject = {
    ...(deeds.some((deed) => deed.action === 'allow') ? { ruleset: 'current' } : {}),
    ...(phases.length === 0 ? {} : { phases }),
    ...(others.length === 0 ? {} : { products: others }),
  };
  return { action: 'skip', action_parameters: parameters, logging: { enabled: true } };
}

/** Whether two lists of deeds are the same, ignoring the order of products. */
export function sameDeeds(left: readonly Deed[], right: readonly Deed[]): boolean {
  return JSON.stringify(left.map(sorted)) === JSON.stringify(right.map(sorted));
}

function sorted({ action, products }: Deed): readonly unknown[] {
  return [action, products.toSorted()];
}

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
