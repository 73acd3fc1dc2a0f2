import type { ScopedCall } from '../call.ts';
import { servicesProblem } from '../firewall/access.ts';
import { type Answer, result } from '../protocol/answer.ts';
import { isRefusal, type Refusal } from '../protocol/refusal.ts';
import type { Zone } from '../store/records.ts';
import { zoneOf } from '../zone-objects.ts';
import { equivalentConfiguration } from './configuration.ts';
import { blockersOf, readPhase } from './eligibility.ts';
import { alreadyMigrated, beingFinished, noMigration, notEligible } from './errors.ts';
import { stateOf } from './state.ts';

/** GET check (specification 4.3): the state is said of zones that can go on only (api.md 10.1). */
export function checkMigration(call: ScopedCall): Answer | Refusal {
  const zone = readableZone(call);
  if (isRefusal(zone)) {
    return zone;
  }
  const { state } = stateOf(call.service, zone);
  const compatible = migrationProblem(call, zone) === undefined;
  return result(compatible ? { compatible, migration_state: state } : { compatible });
}

/** GET config: the configuration that is equivalent to the old one; eligible zones only (assumed). */
export function getConfiguration(call: ScopedCall): Answer | Refusal {
  const zone = readableZone(call);
  return isRefusal(zone)
    ? zone
    : (migrationProblem(call, zone) ?? result(equivalentConfiguration(call.service.store, zone)));
}

/** GET status (specification 3.1 rule 6, api.md 10.1). */
export function getStatus(call: ScopedCall): Answer | Refusal {
  const zone = readableZone(call);
  if (isRefusal(zone)) {
    return zone;
  }
  const view = stateOf(call.service, zone);
  return result({
    old_waf_status: view.oldWaf,
    new_waf_status: view.newWaf,
    migration_state: view.state,
    source: view.source,
    created: view.created,
  });
}

/** Why a zone cannot take a step of the migration now. */
export function migrationProblem(call: ScopedCall, zone: Zone): Refusal | undefined {
  const { state } = stateOf(call.service, zone);
  if (state === 'default' || state === 'complete') {
    return alreadyMigrated();
  }
  if (state === 'pending') {
    return beingFinished();
  }
  const phase = readPhase(call.query);
  const blockers = blockersOf(call.service, { zone, account: call.scope.account, phase });
  return blockers.length === 0 ? undefined : notEligible(blockers);
}

/** The zone of a call that may read its migration; Free zones have none (api.md 10.1). */
function readableZone(call: ScopedCall): Zone | Refusal {
  const zone = zoneOf(call);
  return servicesProblem(call, 'Read') ?? (zone.plan === 'free' ? noMigration() : zone);
}
