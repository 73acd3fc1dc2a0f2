import type { ReadClient } from '../../api/index.ts';
import { checkWafMigration } from '../../api/index.ts';
import { blockersOf, fitOf } from '../../migrate/index.ts';
import type { Scope, WafBlocker, WafCheck, WafStanding } from '../../model/index.ts';
import type { OnEvent } from '../run/events.ts';
import type { ChosenZones } from '../service/each-zone.ts';
import { eachZone } from '../service/each-zone.ts';
import type { ServiceOptions } from '../service/service-options.ts';
import { readBypasses, readOverrides } from './readings.ts';
import { standingOf } from './standings.ts';

/** Checks whether zones can be migrated, and what prevents it. Writes nothing. */
export async function checkWaf(
  zones: ChosenZones,
  options: ServiceOptions,
  report: OnEvent,
): Promise<readonly WafCheck[]> {
  const checks = await eachZone(zones, { options, report }, checkZone);
  return checks.map((check) => ('standing' in check ? check : unasked(check)));
}

/** Checks one zone. */
export async function checkZone(client: ReadClient, scope: Scope): Promise<WafCheck> {
  const standing = await standingOf(client, scope);
  if (standing.kind !== 'known') {
    return unasked(standing);
  }
  const fit = fitOf('finish', { state: standing.status.state, plan: scope.plan });
  if (fit.kind !== 'take') {
    return fit.kind === 'refused'
      ? unasked(standing, [
          {
            kind: fit.code === 'waf/no-migration' ? 'no-migration' : 'unknown-state',
            message: fit.message,
            remedy: fit.hint,
          },
        ])
      : unasked(standing);
  }
  const { compatible } = await checkWafMigration(client, scope.id);
  const looking = { client, scope, notChecked: [] };
  const overrides = await readOverrides(looking);
  const bypasses = await readBypasses(looking);
  return {
    standing,
    compatible,
    blockers: blockersOf({ zone: scope.name, compatible, overrides, bypasses }),
    overrides: overrides ?? [],
    notChecked: looking.notChecked,
  };
}

function unasked(standing: WafStanding, blockers: readonly WafBlocker[] = []): WafCheck {
  return { standing, compatible: null, blockers, overrides: [], notChecked: [] };
}
