import { filters as oldFilters, firewallRules, getEntrypoint } from '../../api/index.ts';
import type { ReadClient } from '../../api/index.ts';
import { CUSTOM_PHASE, planFirewallRetirement, decideWorld } from '../../migrate/index.ts';
import type { World, RetirementResult } from '../../migrate/index.ts';
import { RulewrightError, scopeLabel } from '../../model/index.ts';
import type { OldFilter, OldFirewallRule, FailedScope, LiveRuleset, Scope } from '../../model/index.ts';
import type { OnEvent } from '../run/events.ts';
import type { Reached } from '../service/reach-scope.ts';
import type { ChosenZones } from '../service/each-zone.ts';
import { eachZone } from '../service/each-zone.ts';
import type { ServiceOptions } from '../service/service-options.ts';
import type { ZoneChoice } from '../service/with-scope.ts';
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
  const rules = await firewallRules.list(client, scope.id);
  const filters = await oldFilters.list(client, scope.id);
  const entrypoint = await getEntrypoint(client, scope, CUSTOM_PHASE);
  const again = await firewallRules.list(client, scope.id);
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
