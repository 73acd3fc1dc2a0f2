import type { ReadClient } from '../../api/client.ts';
import { firewallRules, rateLimits } from '../../api/old-families.ts';
import type { ServiceError } from '../../api/service-error.ts';
import { isServiceError, orElse } from '../../api/service-error.ts';
import { getWafMigrationStatus } from '../../api/waf-migration.ts';
import { CUSTOM_PHASE } from '../../migrate/firewall-conversion.ts';
import { decideWorld } from '../../migrate/firewall-world.ts';
import type { LiveRuleset } from '../../model/ruleset.ts';
import { addressOfRuleset } from '../../model/ruleset.ts';
import type { Scope } from '../../model/scope.ts';
import type { OldRules } from '../../model/simulation.ts';

/**
 * What of the old interfaces requests to a zone meet beside these rulesets, with one request for each interface. One that cannot be read
 * is named as such, and is no reason to say nothing of the rules.
 */
export async function readOldRules(
  client: ReadClient,
  zone: Scope,
  rulesets: readonly LiveRuleset[],
): Promise<readonly OldRules[]> {
  const states = await Promise.all([
    stateOf('firewall-rules', firewallRulesInForce(client, zone, rulesets)),
    stateOf('rate-limits', rateLimitsInForce(client, zone)),
    stateOf('waf', wafInForce(client, zone)),
  ]);
  return states.flat();
}

async function stateOf(old: OldRules['old'], inForce: Promise<boolean>): Promise<readonly OldRules[]> {
  const state = await orElse(
    inForce.then((yes): OldRules['state'] | 'none' => (yes ? 'in-force' : 'none')),
    // Where the interface is gone, or the plan of the zone has none, nothing of it is in force.
    ({ status }) => (status === 404 || status === 410 ? 'none' : 'unread'),
    isAnswered,
  );
  return state === 'none' ? [] : [{ old, state }];
}

/** Whether a request failed, and not because the run ends. */
function isAnswered(error: unknown): error is ServiceError {
  return isServiceError(error) && error.code !== 'api/aborted';
}

async function firewallRulesInForce(
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
    // Else they are the custom rules once more.
    decideWorld(rules, custom).kind !== 'one-list'
  );
}

async function rateLimitsInForce(client: ReadClient, zone: Scope): Promise<boolean> {
  return (await rateLimits.list(client, zone.id)).some(({ disabled }) => !disabled);
}

async function wafInForce(client: ReadClient, zone: Scope): Promise<boolean> {
  return (await getWafMigrationStatus(client, zone.id)).oldWaf !== 'disabled';
}
