import type { OldFirewallRule } from '../conversion.ts';
import type { LiveRule } from '../../model/index.ts';
import { oldRuleName } from '../conversion.ts';
import { isJsonArray } from '../../data/index.ts';
import { someNames } from '../../text/index.ts';
import { sameCondition } from '../same-effect.ts';
import {
  BYPASS_PRODUCTS,
  PRODUCT_PHASES,
  SAME_ACTIONS,
  convertedRef,
  isConvertedRef,
} from './firewall-convert-rule.ts';

/** Which of the two worlds of api.md 9.3 a zone lives in, and how that was recognised. */
export type World =
  /** There are no old rules. */
  | { readonly kind: 'empty' }
  /** The old interface shows the custom rules: deleting an old rule deletes a custom rule. */
  | { readonly kind: 'one-list'; readonly reason: string }
  /** Old rules exist beside custom rules. */
  | { readonly kind: 'two-lists'; readonly reason: string }
  | { readonly kind: 'unclear'; readonly reason: string };

/** What the old interface would show of a custom rule; a skip that stands for both an allow and a bypass is shown as two. */
interface OldDeed {
  readonly rule: LiveRule;
  readonly action: string;
  readonly products: readonly string[];
}

/**
 * Decides the world of a zone from what both interfaces show. A converted custom rule has the id of the old rule in its `ref`; where the old rule
 * does not show that `ref`, the two are different objects. Without such a trace it is one list when both interfaces show the same rules, two
 * lists when no old rule has an equal, and unclear otherwise.
 */
export function decideWorld(old: readonly OldFirewallRule[], custom: readonly LiveRule[]): World {
  if (old.length === 0) {
    return { kind: 'empty' };
  }
  const refs = new Set(custom.map(({ ref }) => ref));
  const mirrored = old.filter(({ ref }) => isConvertedRef(ref) && refs.has(ref));
  const apart = old.filter(({ id, ref }) => refs.has(convertedRef(id)) && ref !== convertedRef(id));
  if (mirrored.length > 0 && apart.length > 0) {
    return {
      kind: 'unclear',
      reason: `${namesOf(apart)} stands beside its conversion, while others show a conversion as an old rule: the service may be converting the zone right now`,
    };
  }
  if (apart.length > 0) {
    return {
      kind: 'two-lists',
      reason: `${apart.length} of ${old.length} old rules stand beside their own conversion`,
    };
  }
  return compareLists(old, custom);
}

function compareLists(old: readonly OldFirewallRule[], custom: readonly LiveRule[]): World {
  const unmatched = custom.flatMap(deedsOf);
  const without: OldFirewallRule[] = [];
  for (const rule of old) {
    const place = unmatched.findIndex((deed) => shows(rule, deed));
    if (place < 0) {
      without.push(rule);
    } else {
      unmatched.splice(place, 1);
    }
  }
  if (without.length === old.length) {
    return { kind: 'two-lists', reason: 'no old rule has an equal among the custom rules' };
  }
  if (without.length > 0) {
    return {
      kind: 'unclear',
      reason: `${old.length - without.length} of ${old.length} old rules have an equal among the custom rules; without one: ${namesOf(without)}`,
    };
  }
  return unmatched.length === 0
    ? {
        kind: 'one-list',
        reason: 'every old rule has its equal among the custom rules, and there are no others',
      }
    : {
        kind: 'unclear',
        reason: `every old rule has an equal among the custom rules, but the old interface does not show ${namesOf(unmatched.map(({ rule }) => rule))}`,
      };
}

function deedsOf(rule: LiveRule): readonly OldDeed[] {
  const { action, action_parameters: parameters = {} } = rule.content;
  if (SAME_ACTIONS.includes(action)) {
    return [{ rule, action, products: [] }];
  }
  if (action !== 'skip') {
    return [];
  }
  const named = [parameters['products'], parameters['phases']].flatMap((value) =>
    isJsonArray(value) ? value : [],
  );
  const products = BYPASS_PRODUCTS.filter(
    (product) => named.includes(product) || named.includes(PRODUCT_PHASES.get(product) ?? product),
  );
  return [
    ...(parameters['ruleset'] === 'current' ? [{ rule, action: 'allow', products: [] }] : []),
    ...(products.length === 0 ? [] : [{ rule, action: 'bypass', products }]),
  ];
}

function shows(old: OldFirewallRule, { rule, action, products }: OldDeed): boolean {
  const { filter } = old;
  return (
    filter.kind === 'filter' &&
    old.action === action &&
    old.products.length === products.length &&
    old.products.every((product) => products.includes(product)) &&
    rule.content.enabled === !(old.paused || filter.paused) &&
    sameCondition(rule.content.expression, filter.expression)
  );
}

/** Returns the first few names; a hundred would help nobody. */
function namesOf(rules: readonly (OldFirewallRule | LiveRule)[]): string {
  return someNames(
    rules.map((rule) => ('content' in rule ? rule.ref : oldRuleName(rule))),
    3,
  );
}
