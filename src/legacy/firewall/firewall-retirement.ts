import type { FirewallOrder, OldFilter, OldFirewallRule } from '../conversion.ts';
import type { LiveRule } from '../../model/index.ts';
import { oldRuleName } from '../conversion.ts';
import type { RetirementCandidate, RetirementResult, RetiringZone } from '../retirement-plan.ts';
import { retirementPlan } from '../retirement-plan.ts';
import { sameCondition, whyNotLive } from '../same-effect.ts';
import { convertFirewallRule, convertedRef, isConvertedRef } from './firewall-convert-rule.ts';
import { CUSTOM_PHASE, inOrder } from './firewall-conversion.ts';
import { decideWorld } from './firewall-world.ts';
import { checkEquivalence } from './firewall-equivalence.ts';

/** What both interfaces show of a zone. */
export interface FirewallRetirementInput extends RetiringZone {
  readonly rules: readonly OldFirewallRule[];
  readonly filters: readonly OldFilter[];
}

/**
 * Plans the deletion of old rules and then of filters, but only of those whose conversion is live and does the same. The rule that runs last is
 * deleted first, so that the remaining old rules decide as before at every moment.
 */
export function planFirewallRetirement(input: FirewallRetirementInput): RetirementResult {
  const { rules, entrypoint } = input;
  const custom = entrypoint?.rules ?? [];
  const world = decideWorld(rules, custom);
  if (world.kind === 'one-list') {
    return {
      kind: 'refused',
      code: 'firewall/one-list',
      message: `the old rules are the custom rules, so deleting them would delete what is live: ${world.reason}`,
      hint: 'there is nothing to retire: rulewright firewall convert writes the custom rules as they are',
    };
  }
  if (world.kind === 'unclear') {
    return {
      kind: 'refused',
      code: 'firewall/unclear-world',
      message: `it is not clear whether the old rules are the custom rules: ${world.reason}`,
      hint: 'nothing is deleted then: compare both with rulewright firewall list',
    };
  }
  const sorted = sortOut(rules, custom);
  return {
    kind: 'planned',
    plan: retirementPlan({
      ...input,
      entrypoints: new Map([[CUSTOM_PHASE, entrypoint]]),
      candidates: [...ruleCandidates(sorted), ...filterCandidates(input, sorted)],
      differences: sorted.going.length === 0 ? [] : differencesOf(rules, sorted, custom),
    }),
  };
}

interface Staying {
  readonly rule: OldFirewallRule;
  readonly reason: string;
}

interface Sorted {
  /** The rules to delete; the one that runs last comes first. */
  readonly going: readonly OldFirewallRule[];
  readonly staying: readonly Staying[];
  readonly order: FirewallOrder;
}

function sortOut(rules: readonly OldFirewallRule[], custom: readonly LiveRule[]): Sorted {
  const reasons = new Map<OldFirewallRule, string>();
  for (const rule of rules) {
    const reason = whyNotEqual(rule, custom);
    if (reason !== null) {
      reasons.set(rule, reason);
    }
  }
  const orders = ordersThatHold(rules, custom, reasons);
  if (orders.length === 0) {
    for (const rule of rules) {
      if (!reasons.has(rule)) {
        reasons.set(rule, 'the live rules are neither in the order of the list nor in that of priorities');
      }
    }
  }
  keepWhatWouldBeTaken(rules, orders, reasons);
  const order = orders[0] ?? 'list';
  return {
    order,
    going: inOrder(rules, order)
      .filter((rule) => !reasons.has(rule))
      .toReversed(),
    staying: [...reasons].map(([rule, reason]) => ({ rule, reason })),
  };
}

/** Returns why an old rule is not proven to be live and equal; null when it is. */
function whyNotEqual(rule: OldFirewallRule, custom: readonly LiveRule[]): string | null {
  const converted = convertFirewallRule(rule);
  return converted.kind === 'left'
    ? converted.reason
    : whyNotLive(custom, converted.ref, [converted.content]);
}

function ordersThatHold(
  rules: readonly OldFirewallRule[],
  custom: readonly LiveRule[],
  reasons: ReadonlyMap<OldFirewallRule, string>,
): readonly FirewallOrder[] {
  const equal = rules.filter((rule) => !reasons.has(rule));
  const refs = new Set(equal.map(({ id }) => convertedRef(id)));
  const live = custom.flatMap(({ ref }) => (refs.has(ref) ? [ref] : []));
  return (['list', 'priority'] as const).filter((order) => {
    const wanted = inOrder(rules, order).filter((rule) => !reasons.has(rule));
    return wanted.every(({ id }, index) => live[index] === convertedRef(id));
  });
}

/** Keeps an old rule that ends evaluation as long as one behind it stays, which would otherwise get its requests. */
function keepWhatWouldBeTaken(
  rules: readonly OldFirewallRule[],
  orders: readonly FirewallOrder[],
  reasons: Map<OldFirewallRule, string>,
): void {
  for (;;) {
    const taken = orders.flatMap((order) => {
      const ordered = inOrder(rules, order);
      return ordered.flatMap((rule, index) => {
        const behind = ordered.slice(index + 1).find((other) => reasons.has(other) && isActive(other));
        const ends = isActive(rule) && rule.action !== 'log' && rule.action !== 'bypass';
        return behind === undefined || !ends || reasons.has(rule) ? [] : [{ rule, behind }];
      });
    });
    if (taken.length === 0) {
      return;
    }
    for (const { rule, behind } of taken) {
      reasons.set(rule, `“${oldRuleName(behind)}” after it stays, and would get its requests`);
    }
  }
}

function isActive({ paused, filter }: OldFirewallRule): boolean {
  return !paused && filter.kind === 'filter' && !filter.paused;
}

/**
 * Returns the rules as candidates. The last rule of a filter takes the filter with it, because a filter that was made together with a rule can be
 * deleted in no other way.
 */
function ruleCandidates({ going, staying }: Sorted): readonly RetirementCandidate[] {
  const candidate = (rule: OldFirewallRule, reason: string | null): RetirementCandidate => ({
    target: { kind: 'firewall_rule', id: rule.id },
    name: oldRuleName(rule),
    reason,
    replacedBy: convertedRef(rule.id),
    before: rule,
  });
  return [
    ...going.map((rule, index) => ({
      ...candidate(rule, null),
      withFilter:
        going.slice(index + 1).every((other) => other.filter.id !== rule.filter.id) &&
        staying.every((other) => other.rule.filter.id !== rule.filter.id),
    })),
    ...staying.map(({ rule, reason }) => candidate(rule, reason)),
  ];
}

function filterCandidates(
  { filters, entrypoint }: FirewallRetirementInput,
  { going, staying }: Sorted,
): readonly RetirementCandidate[] {
  const live = (entrypoint?.rules ?? []).filter(({ ref }) => isConvertedRef(ref));
  return filters.map((filter) => {
    const user = staying.find(({ rule }) => rule.filter.id === filter.id)?.rule;
    const used = going.some((rule) => rule.filter.id === filter.id);
    const isLive = live.some(({ content }) => sameCondition(content.expression, filter.expression));
    return {
      target: { kind: 'filter', id: filter.id },
      name: filter.description === '' ? filter.expression : filter.description,
      reason:
        user !== undefined
          ? `“${oldRuleName(user)}”, which stays, uses it`
          : used || isLive
            ? null
            : 'no converted rule has its expression',
      replacedBy: null,
      before: filter,
    };
  });
}

/** Returns the requests that would be treated differently once the rules are gone, one line each. */
function differencesOf(
  rules: readonly OldFirewallRule[],
  { staying, order }: Sorted,
  custom: readonly LiveRule[],
): readonly string[] {
  const kept = new Set(staying.map(({ rule }) => rule));
  const old = inOrder(rules, order);
  const { differences } = checkEquivalence({
    old,
    existing: custom,
    oldAfter: old.filter((rule) => kept.has(rule)),
    after: custom,
  });
  return differences.filter(({ kind }) => kind === 'outcome').map(({ request }) => JSON.stringify(request));
}
