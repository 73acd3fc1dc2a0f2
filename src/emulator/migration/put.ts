import type { ScopedCall } from '../call.ts';
import { servicesProblem } from '../firewall/access.ts';
import type { Answer } from '../protocol/answer.ts';
import { badParameter } from '../protocol/gateway-errors.ts';
import type { Refusal } from '../protocol/refusal.ts';
import { putEntryPoint } from '../rulesets/entry-point.ts';
import { MANAGED_PHASE } from './enrollment.ts';
import { noMigration, noValidation } from './errors.ts';
import { migrationProblem } from './read.ts';
import type { MigrationCause } from './state.ts';
import { advance } from './transition.ts';

/** The words of `waf_migration` (specification 4.3 rule 1). */
const MODES: Readonly<Record<string, 'validation' | 'pending'>> = {
  validation: 'validation',
  '2': 'validation',
  pending: 'pending',
  '1': 'pending',
};

/** PUT entry point; with `waf_migration`, on a zone's managed rules, it is a step of the migration (specification 4.3). */
export function putOrMigrate(call: ScopedCall): Answer | Refusal {
  const value = call.query.get('waf_migration');
  if (value === null || call.scope.kind !== 'zone' || call.params['phase'] !== MANAGED_PHASE) {
    return putEntryPoint(call);
  }
  const mode = Object.hasOwn(MODES, value) ? MODES[value] : undefined;
  return mode === undefined
    ? badParameter('waf_migration', value, `it must be one of ${Object.keys(MODES).join(', ')}`)
    : migrate(call, mode, 'api');
}

/**
 * One step of the migration with the configuration in the body: all or nothing. It needs the permission of the old
 * firewall products as well as that of the phase (api.md 11.3).
 */
export function migrate(
  call: ScopedCall,
  mode: 'validation' | 'pending',
  cause: MigrationCause,
): Answer | Refusal {
  if (call.scope.kind !== 'zone') {
    return putEntryPoint(call);
  }
  const { zone } = call.scope;
  const problem =
    servicesProblem(call, 'Write') ??
    (zone.plan === 'free' ? noMigration() : undefined) ??
    (mode === 'validation' && zone.plan !== 'enterprise' ? noValidation() : undefined) ??
    migrationProblem(call, zone);
  if (problem !== undefined) {
    return problem;
  }
  // The step comes before the write, which the gate lets through then; a refused write undoes both.
  advance(call.service, zone, { mode, cause });
  return putEntryPoint(call);
}
