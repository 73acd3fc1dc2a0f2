import type { ConversionNote, ConvertedRule, OldFirewallRule } from '../conversion.ts';
import type { RuleContent } from '../../model/index.ts';
import { MAX_EXPRESSION_LENGTH } from '../conversion.ts';

/** Actions that a custom rule has under the same name (api.md 9.3). */
export const SAME_ACTIONS: readonly string[] = [
  'block',
  'challenge',
  'js_challenge',
  'managed_challenge',
  'log',
];

/** What a bypass can name (api.md 9.1). */
export const BYPASS_PRODUCTS: readonly string[] = [
  'zoneLockdown',
  'uaBlock',
  'bic',
  'hot',
  'securityLevel',
  'rateLimit',
  'waf',
];

/** The phases that replace two of these products (api.md 9.3). */
export const PRODUCT_PHASES: ReadonlyMap<string, string> = new Map([
  ['rateLimit', 'http_ratelimit'],
  ['waf', 'http_request_firewall_managed'],
]);

/** Returns the `ref` for the conversion of an old rule; it names the old rule for good. */
export function convertedRef(id: string): string {
  return `firewall-rule-${id}`;
}

/** Whether a `ref` is one that a conversion gives. */
export function isConvertedRef(ref: string): boolean {
  return /^firewall-rule-[0-9a-f]{32}$/u.test(ref);
}

/**
 * Returns the custom rule that does what an old rule does (api.md 9.3): the same action, or the narrowest skip for allow and bypass; disabled
 * where the rule or its filter is paused. `sharedWith` are the other rules with the same filter.
 */
export function convertFirewallRule(
  old: OldFirewallRule,
  sharedWith: readonly OldFirewallRule[] = [],
): ConvertedRule {
  const { filter } = old;
  if (filter.kind === 'deleted') {
    return { kind: 'left', old, reason: `its filter ${filter.id} was deleted, so it matches nothing` };
  }
  const done = actionOf(old);
  if ('reason' in done) {
    return { kind: 'left', old, reason: done.reason };
  }
  const content: RuleContent = {
    ...done,
    expression: filter.expression,
    description: old.description === '' ? filter.description : old.description,
    enabled: !old.paused && !filter.paused,
  };
  return {
    kind: 'converted',
    old,
    ref: convertedRef(old.id),
    content,
    notes: notesOf(old, content, sharedWith),
  };
}

type Done = Pick<RuleContent, 'action' | 'action_parameters'>;

function actionOf({ action, products }: OldFirewallRule): Done | { readonly reason: string } {
  if (SAME_ACTIONS.includes(action)) {
    return { action };
  }
  if (action === 'allow') {
    return { action: 'skip', action_parameters: { ruleset: 'current' } };
  }
  if (action !== 'bypass') {
    return { reason: `its action ${action} has no equal among custom rules` };
  }
  const unknown = products.filter((product) => !BYPASS_PRODUCTS.includes(product));
  if (unknown.length > 0 || products.length === 0) {
    return {
      reason:
        unknown.length > 0 ? `it bypasses ${unknown.join(', ')}, which has no equal` : 'it bypasses nothing',
    };
  }
  const phases = products.flatMap((product) => PRODUCT_PHASES.get(product) ?? []);
  // The old WAF and old rate limits are skipped as products too: a zone may still have them beside the phases that replace them.
  return {
    action: 'skip',
    action_parameters: { ...(phases.length === 0 ? {} : { phases }), products: [...products] },
  };
}

function notesOf(
  old: OldFirewallRule,
  { action, expression, enabled }: RuleContent,
  sharedWith: readonly OldFirewallRule[],
): readonly ConversionNote[] {
  const { filter } = old;
  const bytes = new TextEncoder().encode(expression).length;
  const notes: (ConversionNote | undefined)[] = [
    enabled
      ? undefined
      : {
          kind: 'kept',
          message: `disabled, since ${old.paused ? (filter.kind === 'filter' && filter.paused ? 'rule and filter are' : 'the rule is') : 'its filter is'} paused`,
        },
    sharedWith.length === 0
      ? undefined
      : {
          kind: 'kept',
          message: `has a copy of the filter ${filter.id}, which it shared with ${sharedWith.map(({ id }) => id).join(', ')}`,
        },
    old.action === 'allow'
      ? { kind: 'kept', message: 'skips the rest of the custom rules and nothing else' }
      : undefined,
    old.action === 'bypass' && old.products.some((product) => PRODUCT_PHASES.has(product))
      ? {
          kind: 'kept',
          message: `skips ${old.products.flatMap((product) => PRODUCT_PHASES.get(product) ?? []).join(' and ')}, and its predecessor where the zone still has it`,
        }
      : undefined,
    action === 'block'
      ? { kind: 'not-same', message: 'blocks with the page of the WAF, no longer with error 1020' }
      : undefined,
    bytes > MAX_EXPRESSION_LENGTH
      ? {
          kind: 'too-long',
          message: `its expression has ${bytes} bytes, ${MAX_EXPRESSION_LENGTH} are allowed: split it, or ask the vendor's support`,
        }
      : undefined,
  ];
  return notes.filter((note) => note !== undefined);
}
