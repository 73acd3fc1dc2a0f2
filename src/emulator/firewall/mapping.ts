import { textAt, textsAt } from '../protocol/json.ts';
import type { JsonObject } from '../protocol/json.ts';
import type { RuleDefinition } from '../records/ruleset.ts';
import { bypassProducts } from '../records/firewall-rule.ts';
import type { FirewallRule } from '../records/firewall-rule.ts';

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
  const parameters: JsonObject = {
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
