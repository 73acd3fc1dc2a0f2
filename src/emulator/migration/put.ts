import type { ScopedCall } from '../call/call.ts';
import type { Answer } from '../protocol/answer.ts';
import { badParameter } from '../protocol/gateway-errors.ts';
import { refuse } from '../protocol/refusal.ts';
import { putEntryPoint } from '../rulesets/entry-point.ts';
import { MANAGED_PHASE } from '../waf/enrollment.ts';
import { checkMigratable, migratingZone } from './read.ts';
import type { MigrationCause } from '../records/waf-migration.ts';
import { advance } from './transition.ts';

/** The values of the query parameter `waf_migration` (specification 4.3 rule 1). */
const MODES: Readonly<Record<string, 'validation' | 'pending'>> = {
  validation: 'validation',
  '2': 'validation',
  pending: 'pending',
  '1': 'pending',
};

/** PUT entry point; with `waf_migration`, for a zone's managed rules, the call is a step of the migration (specification 4.3). */
export function putOrMigrate(call: ScopedCall): Answer {
  const value = call.query.get('waf_migration');
  if (value === null || call.scope.kind !== 'zone' || call.params['phase'] !== MANAGED_PHASE) {
    return putEntryPoint(call);
  }
  const mode = Object.hasOwn(MODES, value) ? MODES[value] : undefined;
  if (mode === undefined) {
    throw badParameter('waf_migration', value, `it must be one of ${Object.keys(MODES).join(', ')}`);
  }
  return migrate(call, mode, 'api');
}

/**
 * Takes one step of the migration, with the configuration in the body; all or nothing. The call needs the permission
 * for the old firewall products as well as that of the phase (api.md 11.3).
 */
export function migrate(call: ScopedCall, mode: 'validation' | 'pending', cause: MigrationCause): Answer {
  const zone = migratingZone(call, 'Write');
  if (mode === 'validation' && zone.plan !== 'enterprise') {
    throw refuse(400, 'validation mode is available for Enterprise zones only');
  }
  checkMigratable(call, zone);
  // The step comes before the write, because `checkEnrollment` would refuse the write otherwise; a refused write undoes both.
  advance(call.service, zone, { mode, cause });
  return putEntryPoint(call);
}
