import type { ReadClient } from '../../api/client.ts';
import { firewallRules, rateLimits } from '../../api/old-families.ts';
import type { ServiceError } from '../../api/service-error.ts';
import { hasStatus, isServiceError, orElse } from '../../api/service-error.ts';
import { getWafMigrationStatus } from '../../api/waf-migration.ts';
import { CUSTOM_PHASE } from '../../migrate/firewall-conversion.ts';
import { decideWorld } from '../../migrate/firewall-world.ts';
import type { LiveRuleset } from '../../model/ruleset.ts';
import { addressOfRuleset } from '../../model/ruleset.ts';
import type { Scope } from '../../model/scope.ts';
import type { OldRules } from '../../model/simulation.ts';

/**
 * Reads which old interfaces act on requests to a zone beside these rulesets, with one request for each. An interface that cannot be read is
 * listed as `unread`; that does not fail the rest.
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
    // If the interface is gone, or the zone's plan lacks it, nothing of it is in force.
    (error) => (hasStatus(error, 404, 410) ? 'none' : 'unread'),
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
    // With one list, they are another view of the custom rules.
    decideWorld(rules, custom).kind !== 'one-list'
  );
}

async function rateLimitsInForce(client: ReadClient, zone: Scope): Promise<boolean> {
  return (await rateLimits.list(client, zone.id)).some(({ disabled }) => !disabled);
}

async function wafInForce(client: ReadClient, zone: Scope): Promise<boolean> {
  return (await getWafMigrationStatus(client, zone.id)).oldWaf !== 'disabled';
}
