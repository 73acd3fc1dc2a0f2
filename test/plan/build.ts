import type { DesiredRule, LiveRule, RuleContent } from '../../src/model/rule.ts';
import type { DesiredRuleset, LiveRuleset, RuleOwnership } from '../../src/model/ruleset.ts';
import type { ScopeRef } from '../../src/model/scope.ts';
import type { FileCause } from '../../src/model/source.ts';
import type { EffectContext } from '../../src/plan/impact/security-effect.ts';

/** A place in a file, for tests that do not care which. */
export const CAUSE: FileCause = { file: 'zones/shop.example.yaml', line: 1, column: 1 };

/** The zone, for tests that do not care which. */
export const SHOP: ScopeRef = { kind: 'zone', name: 'shop.example' };

/** 32 hex characters that end in a number, readable in failures. */
export function id(number: number): string {
  return number.toString(16).padStart(32, '0');
}

export function content(over: Partial<RuleContent> = {}): RuleContent {
  return { action: 'block', expression: 'ip.src eq 192.0.2.1', description: '', enabled: true, ...over };
}

export function desiredRule(
  over: Partial<Omit<DesiredRule, 'content'>> & Partial<RuleContent> = {},
): DesiredRule {
  const { ref, id: ruleId, adopt = false, cause = CAUSE, ...rest } = over;
  return {
    ...(ref === undefined ? {} : { ref }),
    ...(ruleId === undefined ? {} : { id: ruleId }),
    adopt,
    cause,
    content: content(rest),
  };
}

export function liveRule(
  number: number,
  over: Partial<Omit<LiveRule, 'content'>> & Partial<RuleContent> = {},
): LiveRule {
  const { ref = id(number), id: ruleId = id(number), ...rest } = over;
  return { id: ruleId, ref, content: content(rest) };
}

export function liveRuleset(rules: readonly LiveRule[], over: Partial<LiveRuleset> = {}): LiveRuleset {
  return {
    id: id(0xfff),
    name: 'default',
    description: '',
    kind: 'zone',
    phase: 'http_request_firewall_custom',
    version: '1',
    lastUpdated: '2026-01-01T00:00:00Z',
    rules,
    ...over,
  };
}

export function desiredRuleset(
  rules: readonly DesiredRule[],
  over: Partial<DesiredRuleset> = {},
): DesiredRuleset {
  return {
    address: { kind: 'entrypoint', phase: 'http_request_firewall_custom' },
    presence: 'present',
    rules,
    ownership: { kind: 'all' },
    place: 'any',
    cause: CAUSE,
    ...over,
  };
}

export const ALL: RuleOwnership = { kind: 'all' };

export function patterns(...list: readonly string[]): RuleOwnership {
  return { kind: 'patterns', patterns: list };
}

/** The options that the rules of a ruleset in `SHOP` are planned with. */
export function ruleOptions(
  over: Partial<DesiredRuleset> = {},
): DesiredRuleset & { readonly context: EffectContext } {
  const desired = desiredRuleset([], over);
  return { ...desired, context: { scope: SHOP, phase: desired.address.phase } };
}
