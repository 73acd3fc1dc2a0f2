import { accept } from './accept.ts';
import type { ReadClient, WriteClient } from './client.ts';
import type { OldFirewallRule } from '../model/firewall-conversion.ts';
import { decodeFirewallRule } from './decode-firewall-rule.ts';
import { decodeAll, decodeDeleted, decodeSingle } from './decode-zone-objects.ts';
import type { ChangedFirewallRule, FirewallRulePriority, NewFirewallRule } from './firewall-rule-requests.ts';
import {
  createFirewallRulesRequest,
  deleteFirewallRuleRequest,
  deleteFirewallRulesRequest,
  prioritiseFirewallRuleRequest,
  prioritiseFirewallRulesRequest,
  updateFirewallRuleRequest,
  updateFirewallRulesRequest,
} from './firewall-rule-requests.ts';
import { readByPage } from './pages.ts';
import { zoneFamilyPath, zoneObjectPath } from './paths.ts';

const decodeRules = decodeAll(decodeFirewallRule);
const decodeRule = decodeSingle(decodeFirewallRule);

/** All old firewall rules of a zone in list order, which is not the order in which they run (specification 4.2, api.md 9.1). */
export function listFirewallRules(client: ReadClient, zoneId: string): Promise<readonly OldFirewallRule[]> {
  return readByPage(client, zoneFamilyPath(zoneId, 'firewall/rules'), { perPage: 100, decode: decodeRules });
}

/** One firewall rule. */
export async function getFirewallRule(
  client: ReadClient,
  zoneId: string,
  ruleId: string,
): Promise<OldFirewallRule> {
  return accept(await client.get(zoneObjectPath(zoneId, 'firewall/rules', ruleId)), decodeRule);
}

/**
 * Makes up to 25 rules, all or none. With new filters inside, a refusal over the quota may leave the filters behind
 * (specification 4.2 rule 3), which nobody can delete (rule 4): the recommended way is `createFilters` first (rule 5).
 */
export async function createFirewallRules(
  client: WriteClient,
  zoneId: string,
  rules: readonly NewFirewallRule[],
): Promise<readonly OldFirewallRule[]> {
  return accept(await client.send(createFirewallRulesRequest(zoneId, rules)), decodeRules);
}

/** Replaces up to 25 rules, all or none; what is not said gets its default (api.md 9.1). */
export async function updateFirewallRules(
  client: WriteClient,
  zoneId: string,
  rules: readonly ChangedFirewallRule[],
): Promise<readonly OldFirewallRule[]> {
  return accept(await client.send(updateFirewallRulesRequest(zoneId, rules)), decodeRules);
}

/** Replaces one rule. */
export async function updateFirewallRule(
  client: WriteClient,
  zoneId: string,
  rule: ChangedFirewallRule,
): Promise<OldFirewallRule> {
  return accept(await client.send(updateFirewallRuleRequest(zoneId, rule)), decodeRule);
}

/** Sets the priorities of up to 25 rules, all or none. */
export async function prioritiseFirewallRules(
  client: WriteClient,
  zoneId: string,
  rules: readonly FirewallRulePriority[],
): Promise<readonly OldFirewallRule[]> {
  return accept(await client.send(prioritiseFirewallRulesRequest(zoneId, rules)), decodeRules);
}

/** Sets the priority of one rule; the answer is a list of one, or the rule (api.md 9.1). */
export async function prioritiseFirewallRule(
  client: WriteClient,
  zoneId: string,
  rule: FirewallRulePriority,
): Promise<OldFirewallRule> {
  return accept(await client.send(prioritiseFirewallRuleRequest(zoneId, rule)), decodeRule);
}

/**
 * Deletes rules; their filters stay (specification 4.2 rule 5). Gives the ids that are gone: ids that nobody has are
 * no error. Without ids nothing is sent: what the service makes of that has changed over time.
 */
export async function deleteFirewallRules(
  client: WriteClient,
  zoneId: string,
  ids: readonly string[],
): Promise<readonly string[]> {
  return ids.length === 0
    ? []
    : accept(await client.send(deleteFirewallRulesRequest(zoneId, ids)), decodeDeleted(ids));
}

/** Deletes one rule, and on request its filter when nothing else uses it (api.md 9.1). */
export async function deleteFirewallRule(
  client: WriteClient,
  zoneId: string,
  ruleId: string,
  filter: 'keep-filter' | 'delete-unused-filter' = 'keep-filter',
): Promise<void> {
  accept(await client.send(deleteFirewallRuleRequest(zoneId, ruleId, filter)), decodeDeleted([ruleId]));
}
