import * as old from '../../api/old-families.ts';
import type { ReadClient } from '../../api/client.ts';
import { getEntrypoint } from '../../api/rulesets.ts';
import { CUSTOM_PHASE } from '../../migrate/firewall-conversion.ts';
import { planFirewallRetirement } from '../../migrate/firewall-retire.ts';
import type { World } from '../../migrate/firewall-world.ts';
import { decideWorld } from '../../migrate/firewall-world.ts';
import { RulewrightError } from '../../model/error.ts';
import type { OldFilter, OldFirewallRule } from '../../model/firewall-conversion.ts';
import type { FailedScope } from '../../model/plan.ts';
import type { LiveRuleset } from '../../model/ruleset.ts';
import type { Scope } from '../../model/scope.ts';
import { scopeLabel } from '../../model/scope.ts';
import type { OnEvent } from '../run/events.ts';
import type { Reached } from '../service/reach-scope.ts';
import type { ChosenZones } from '../service/each-zone.ts';
import { eachZone } from '../service/each-zone.ts';
import type { ServiceOptions } from '../service/service-options.ts';
import type { ZoneChoice } from '../service/with-scope.ts';
import type { RetirementResult } from '../../migrate/retire-plan.ts';
import { planRetirement } from './retire.ts';

/** The rules of a zone in the old and the new interface. */
export interface FirewallZone {
  readonly scope: Scope;
  /** In list order. */
  readonly rules: readonly OldFirewallRule[];
  readonly filters: readonly OldFilter[];
  /** The entry point of custom rules; null if it is certain that there is none. */
  readonly entrypoint: LiveRuleset | null;
}

/**
 * Reads the old rules, filters and custom rules of a zone. Reads the old rules again at the end, and throws `firewall/moving` if
 * somebody, or the service itself, changed them meanwhile, since what was read does not fit together then.
 */
export async function readFirewallZone({
  client,
  scope,
}: Pick<Reached<ReadClient>, 'client' | 'scope'>): Promise<FirewallZone> {
  const rules = await old.firewallRules.list(client, scope.id);
  const filters = await old.filters.list(client, scope.id);
  const entrypoint = await getEntrypoint(client, scope, CUSTOM_PHASE);
  const again = await old.firewallRules.list(client, scope.id);
  if (JSON.stringify(again) !== JSON.stringify(rules)) {
    throw new RulewrightError(`the firewall rules of ${scopeLabel(scope)} changed while they were read`, {
      code: 'firewall/moving',
      fault: 'user',
      hint: 'somebody, or the service, is changing them right now: run it again when that is done',
    });
  }
  return { scope, rules, filters, entrypoint };
}

/** The old rules of a zone, and how they relate to the custom rules. */
export interface ListedFirewall extends FirewallZone {
  readonly kind: 'listed';
  readonly world: World;
}

/** Reads zones with a client that can only read; a zone that fails fails alone. */
export function listFirewall(
  zones: ChosenZones,
  options: ServiceOptions,
  report: OnEvent,
): Promise<readonly (ListedFirewall | FailedScope)[]> {
  return eachZone(zones, { options, report }, async (client, scope) => {
    const found = await readFirewallZone({ client, scope });
    const world = decideWorld(found.rules, found.entrypoint?.rules ?? []);
    return { kind: 'listed', ...found, world } as const;
  });
}

/** Plans which old rules and filters of a zone can be deleted. Writes nothing. */
export function planRetiredFirewall(
  choice: ZoneChoice,
  options: ServiceOptions,
  report: OnEvent,
): Promise<RetirementResult> {
  return planRetirement(choice, { options, report }, async (reached, baseUrl) => {
    const zone = await readFirewallZone(reached);
    return planFirewallRetirement({ ...zone, baseUrl, tokenEnv: reached.tokenEnv });
  });
}
