import type {
  FirewallOrder,
  OldFirewallRule,
  ConversionPlace,
  ConversionResult,
  RuleConversion,
  ZoneConversion,
} from '../conversion.ts';
import { assertNever } from '../../data/index.ts';
import type { LiveRule } from '../../model/index.ts';
import { oldRuleName, MAX_RULES } from '../conversion.ts';
import { ruleQuota, skipsRest } from '../../model/index.ts';
import type { Tree } from '../../expression/index.ts';
import { excludes, parseExpression } from '../../expression/index.ts';
import type { World } from './firewall-world.ts';
import { decideWorld } from './firewall-world.ts';
import { convertFirewallRule, convertedRef } from './firewall-convert-rule.ts';
import { counted } from '../../text/index.ts';

/** With more rules than this, the service orders by priority, whatever was chosen (api.md 9.1). */
const MAX_LIST_LENGTH = 200;

/** The actions in their order among rules of equal priority (api.md 9.1). */
const PRECEDENCE: readonly string[] = [
  'log',
  'bypass',
  'allow',
  'challenge',
  'managed_challenge',
  'js_challenge',
  'block',
];

/** The order of execution; or that the two possible orders differ, and nobody has said which one holds. */
export type OrderDecision =
  | {
      readonly kind: 'ordered';
      readonly order: FirewallOrder;
      readonly rules: readonly OldFirewallRule[];
      readonly reason: 'chosen' | 'same' | 'no-priorities' | 'long-list';
    }
  | { readonly kind: 'ask'; readonly first: { readonly list: string; readonly priority: string } };

/** Returns the rules in one of the orders. Stable: rules that compare equal stay as listed. */
export function inOrder(rules: readonly OldFirewallRule[], order: FirewallOrder): readonly OldFirewallRule[] {
  return order === 'list'
    ? rules
    : rules.toSorted((a, b) => rank(a) - rank(b) || precedence(a.action) - precedence(b.action));
}

/**
 * Decides in which order the rules run, unless it was chosen. Without any priority, it is that of the list; with more than 200 rules, that of
 * priorities (api.md 9.1); where both orders are the same, there is nothing to ask.
 */
export function decideOrder(
  rules: readonly OldFirewallRule[],
  chosen: FirewallOrder | undefined,
): OrderDecision {
  const ordered = (
    order: FirewallOrder,
    reason: Extract<OrderDecision, { readonly kind: 'ordered' }>['reason'],
  ): OrderDecision => ({ kind: 'ordered', order, rules: inOrder(rules, order), reason });
  if (chosen !== undefined) {
    return ordered(chosen, 'chosen');
  }
  if (rules.length > MAX_LIST_LENGTH) {
    return ordered('priority', 'long-list');
  }
  if (rules.every(({ priority }) => priority === null)) {
    return ordered('list', 'no-priorities');
  }
  const byPriority = inOrder(rules, 'priority');
  const place = rules.findIndex((rule, index) => rule !== byPriority[index]);
  const list = rules[place];
  const priority = byPriority[place];
  return list === undefined || priority === undefined
    ? ordered('list', 'same')
    : { kind: 'ask', first: { list: list.id, priority: priority.id } };
}

function rank({ priority }: OldFirewallRule): number {
  return priority ?? Number.MAX_SAFE_INTEGER;
}

function precedence(action: string): number {
  return PRECEDENCE.indexOf(action);
}

/** The phase that replaces firewall rules. */
export const CUSTOM_PHASE = 'http_request_firewall_custom';

/** What both interfaces show of a zone, and what was chosen for the conversion. */
export interface ConversionInput {
  readonly old: readonly OldFirewallRule[];
  /** Rules of the entry point of custom rules; empty when there is none. */
  readonly custom: readonly LiveRule[];
  readonly plan?: string | undefined;
  readonly order?: FirewallOrder | undefined;
  readonly place?: ConversionPlace | undefined;
}

const ORDER_REASONS = {
  chosen: 'it was asked for',
  same: 'the order of the list and that of priorities are the same',
  'no-priorities':
    'no rule has a priority; if the zone was switched to priority ordering anyway, use --order priority',
  'long-list': 'with more than 200 rules the service goes by priorities',
} as const;

/** Converts the old firewall rules of a zone. Pure. */
export function convertFirewall(input: ConversionInput): ConversionResult {
  const { old, custom } = input;
  const world = decideWorld(old, custom);
  switch (world.kind) {
    case 'empty':
      return { kind: 'nothing' };
    case 'one-list':
      return world;
    case 'unclear':
      return {
        kind: 'refused',
        code: 'firewall/unclear-world',
        message: `it is not clear whether the old rules are the custom rules: ${world.reason}`,
        hint: 'compare both with rulewright firewall list; delete by hand the copies that were made by hand, and run it again',
      };
    case 'two-lists':
      return convertTwoLists(input, world);
    default:
      return assertNever(world);
  }
}

function convertTwoLists(
  { old, custom, plan, order: chosenOrder, place: chosenPlace }: ConversionInput,
  world: Extract<World, { readonly kind: 'two-lists' }>,
): ConversionResult {
  const order = decideOrder(old, chosenOrder);
  if (order.kind === 'ask') {
    const name = (id: string): string => {
      const rule = old.find((each) => each.id === id);
      return rule === undefined ? id : oldRuleName(rule);
    };
    return {
      kind: 'refused',
      code: 'firewall/order',
      message: `the order of the list and that of priorities differ: “${name(order.first.list)}” comes earlier in the list, “${name(order.first.priority)}” by priority`,
      hint: 'look up in the dashboard which ordering the zone uses, and use --order list or --order priority',
    };
  }
  const rules = order.rules.map((rule) => convertFirewallRule(rule, sharingWith(rule, old)));
  const conversions = rules.filter((rule) => rule.kind === 'converted');
  const ours = new Set(old.map(({ id }) => convertedRef(id)));
  const existing = custom.filter(({ ref }) => !ours.has(ref));
  const place = decidePlace(conversions, existing, chosenPlace);
  if (place.kind === 'ask') {
    return {
      kind: 'refused',
      code: 'firewall/place',
      message: `no place among the custom rules leaves everything as it is: ${place.first}; ${place.last}`,
      hint: 'use --place first or --place last; the report then shows what differs',
    };
  }
  return {
    kind: 'converted',
    world: world.reason,
    order: order.order,
    orderReason: ORDER_REASONS[order.reason],
    place: place.place,
    placeReason: place.reason,
    rules,
    existing,
    warnings: warningsOf(old, conversions.length + existing.length, plan),
  };
}

/** Returns the custom rules after the conversion, in their order. */
export function placedRules<Rule>(
  { place }: Pick<ZoneConversion, 'place'>,
  converted: readonly Rule[],
  existing: readonly Rule[],
): readonly Rule[] {
  return place === 'first' ? [...converted, ...existing] : [...existing, ...converted];
}

/** Returns the rules of a conversion that became custom rules, in the order of execution. */
export function conversionsOf({ rules }: Pick<ZoneConversion, 'rules'>): readonly RuleConversion[] {
  return rules.filter((rule) => rule.kind === 'converted');
}

function sharingWith(rule: OldFirewallRule, all: readonly OldFirewallRule[]): readonly OldFirewallRule[] {
  return all.filter((other) => other !== rule && other.filter.id === rule.filter.id);
}

function warningsOf(
  old: readonly OldFirewallRule[],
  total: number,
  plan: string | undefined,
): readonly string[] {
  const quota = ruleQuota(CUSTOM_PHASE, 'zone', plan);
  return [
    ...(old.length > MAX_RULES
      ? [`there are ${old.length} old rules; above ${MAX_RULES}, the vendor wants its support to be involved`]
      : []),
    ...(quota !== undefined && total > quota.limit
      ? [
          `${counted(total, 'custom rule results', 'custom rules result')}, and the plan level of the zone has room for ${quota.limit}`,
        ]
      : []),
  ];
}

/** The place of the converted rules, or why no place leaves everything as it is. */
type PlaceDecision =
  | { readonly kind: 'placed'; readonly place: ConversionPlace; readonly reason: string }
  | { readonly kind: 'ask'; readonly first: string; readonly last: string };

/**
 * Decides where converted rules go among the custom rules. Old rules run before custom rules, so converted rules go first, unless they would keep
 * a custom rule from requests that an old allow lets pass: an allow ends the old rules only. They go last where no custom rule can get in their
 * way. What is not proven harmless counts as harm.
 */
function decidePlace(
  converted: readonly RuleConversion[],
  existing: readonly LiveRule[],
  chosen: ConversionPlace | undefined,
): PlaceDecision {
  if (chosen !== undefined) {
    return { kind: 'placed', place: chosen, reason: 'it was asked for' };
  }
  if (existing.length === 0) {
    return { kind: 'placed', place: 'first', reason: 'there are no other custom rules' };
  }
  const first = harmOfFirst(converted, existing);
  if (first === null) {
    return {
      kind: 'placed',
      place: 'first',
      reason: 'old rules run before custom rules, and none of them keeps a request from a custom rule',
    };
  }
  const last = harmOfLast(converted, existing);
  return last === null
    ? {
        kind: 'placed',
        place: 'last',
        reason: `${first}; after them nothing changes`,
      }
    : { kind: 'ask', first, last };
}

function harmOfFirst(converted: readonly RuleConversion[], existing: readonly LiveRule[]): string | null {
  const allows = active(converted).filter(({ old }) => old.action === 'allow');
  const custom = existing.filter(({ content }) => content.enabled);
  for (const allow of allows) {
    const met = custom.find(({ content }) => !areDisjoint(allow.content.expression, content.expression));
    if (met !== undefined) {
      return `before the custom rules, “${oldRuleName(allow.old)}” would keep requests from ${met.ref}`;
    }
  }
  return null;
}

function harmOfLast(converted: readonly RuleConversion[], existing: readonly LiveRule[]): string | null {
  const rules = active(converted);
  for (const { ref, content } of existing) {
    const { action, action_parameters: parameters = {} } = content;
    const goesOn = action === 'log' || (action === 'skip' && !skipsRest(content));
    if (!content.enabled || goesOn) {
      continue;
    }
    const met = rules.find(
      (rule) =>
        !areDisjoint(content.expression, rule.content.expression) &&
        !(action === 'block' && parameters['response'] === undefined && rule.content.action === 'block'),
    );
    if (met !== undefined) {
      return `after the custom rules, ${ref} would keep requests from “${oldRuleName(met.old)}”`;
    }
  }
  return null;
}

function active(converted: readonly RuleConversion[]): readonly RuleConversion[] {
  return converted.filter(({ content }) => content.enabled);
}

function areDisjoint(one: string, other: string): boolean {
  const left = treeOf(one);
  const right = treeOf(other);
  return left !== null && right !== null && excludes(left, right);
}

function treeOf(expression: string): Tree | null {
  const parsed = parseExpression(expression);
  return parsed.ok ? parsed.tree : null;
}
