import type { NewFilter } from './filter-requests.ts';
import { zoneFamilyPath, zoneObjectPath } from './paths.ts';
import type { WriteRequest } from './request.ts';

const FAMILY = 'firewall/rules';

/** What can be said about a firewall rule beside its filter (api.md 9.1). */
export interface FirewallRuleContent {
  readonly action: string;
  /** With a bypass, and with nothing else. */
  readonly products?: readonly string[];
  /** From 0; absent or `null`: none. */
  readonly priority?: number | null;
  readonly paused?: boolean;
  readonly description?: string;
  readonly ref?: string;
}

/** A rule to make, with an existing filter or one that is made by the same call (specification 4.2 rules 1 and 5). */
export interface NewFirewallRule extends FirewallRuleContent {
  readonly filter: { readonly id: string } | NewFilter;
}

/** A rule to replace as a whole; its filter can be exchanged, not changed (api.md 9.1). */
export interface ChangedFirewallRule extends FirewallRuleContent {
  readonly id: string;
  readonly filter: { readonly id: string };
}

/** A rule's new priority; `null` takes it away. */
export interface FirewallRulePriority {
  readonly id: string;
  readonly priority: number | null;
}

/** POST of up to 25 rules: all or none, except for specification 4.2 rule 3. */
export function createFirewallRulesRequest(zoneId: string, rules: readonly NewFirewallRule[]): WriteRequest {
  return { method: 'POST', path: zoneFamilyPath(zoneId, FAMILY), body: rules };
}

/** PUT of up to 25 rules. */
export function updateFirewallRulesRequest(
  zoneId: string,
  rules: readonly ChangedFirewallRule[],
): WriteRequest {
  return { method: 'PUT', path: zoneFamilyPath(zoneId, FAMILY), body: rules };
}

/** PUT of one rule. */
export function updateFirewallRuleRequest(zoneId: string, rule: ChangedFirewallRule): WriteRequest {
  return { method: 'PUT', path: zoneObjectPath(zoneId, FAMILY, rule.id), body: rule };
}

/** PATCH of the priorities of up to 25 rules. */
export function prioritiseFirewallRulesRequest(
  zoneId: string,
  rules: readonly FirewallRulePriority[],
): WriteRequest {
  return { method: 'PATCH', path: zoneFamilyPath(zoneId, FAMILY), body: rules };
}

/** PATCH of the priority of one rule. */
export function prioritiseFirewallRuleRequest(zoneId: string, rule: FirewallRulePriority): WriteRequest {
  return { method: 'PATCH', path: zoneObjectPath(zoneId, FAMILY, rule.id), body: rule };
}

/** DELETE of rules by id. */
export function deleteFirewallRulesRequest(zoneId: string, ids: readonly string[]): WriteRequest {
  return { method: 'DELETE', path: zoneFamilyPath(zoneId, FAMILY), query: { id: ids } };
}

/** DELETE of one rule, on request with a filter that nothing else uses (api.md 9.1). */
export function deleteFirewallRuleRequest(
  zoneId: string,
  ruleId: string,
  filter: 'keep-filter' | 'delete-unused-filter',
): WriteRequest {
  const path = zoneObjectPath(zoneId, FAMILY, ruleId);
  return filter === 'keep-filter'
    ? { method: 'DELETE', path }
    : { method: 'DELETE', path, body: { delete_filter_if_unused: true } };
}
