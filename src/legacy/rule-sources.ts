import type { ReadClient } from '../api/index.ts';
import type { LiveRuleset, Scope } from '../model/index.ts';
import { addressOfRuleset } from '../model/index.ts';
import { getWafMigrationStatus } from './waf/waf-requests.ts';
import { decideWorld } from './firewall/firewall-world.ts';
import { CUSTOM_PHASE } from './firewall/firewall-conversion.ts';
import { firewallRules, rateLimits } from './legacy-objects.ts';

/** Whether old firewall rules act on requests to a zone beside its custom rules. */
export async function firewallRulesInForce(
  client: ReadClient,
  zone: Scope,
  rulesets: readonly LiveRuleset[],
): Promise<boolean> {
  const rules = await firewallRules.list(client, zone.id);
  const custom = rulesets
    .filter((ruleset) => addressOfRuleset(ruleset).kind === 'entrypoint' && ruleset.phase === CUSTOM_PHASE)
    .flatMap((ruleset) => ruleset.rules);
  return (
    rules.some(({ paused, filter }) => !paused && filter.kind === 'filter' && !filter.paused) &&
    // With one list, they are another view of the custom rules.
    decideWorld(rules, custom).kind !== 'one-list'
  );
}

/** Whether old rate limits act on requests to a zone. */
export async function rateLimitsInForce(client: ReadClient, zone: Scope): Promise<boolean> {
  return (await rateLimits.list(client, zone.id)).some(({ disabled }) => !disabled);
}

/** Whether the managed rules of the old WAF act on requests to a zone. */
export async function wafInForce(client: ReadClient, zone: Scope): Promise<boolean> {
  return (await getWafMigrationStatus(client, zone.id)).oldWaf !== 'disabled';
}
