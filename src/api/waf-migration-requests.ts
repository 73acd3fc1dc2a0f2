import { entrypointPath } from './paths.ts';
import type { Query, WriteRequest } from './request.ts';
import type { JsonObject } from '../model/json.ts';
import { MANAGED_PHASE } from '../model/waf-migration.ts';

/** Which rules of eligibility hold: phase two with `phase_two=1`, else those of phase one (specification 3.2). */
export type MigrationPhase = 'one' | 'two';

/** A step of the migration (specification 3.1): both versions run (Enterprise), or the previous one is switched off. */
export type MigrationStep = 'validation' | 'pending';

/** The entry point that a zone is to have (specification 4.3 rule 5: empty `id`, `version`, `ref` count as absent). */
export interface MigrationConfiguration {
  readonly name?: string;
  readonly description?: string;
  readonly rules: readonly JsonObject[];
}

/** The query that says which phase is asked for. */
export function phaseQuery(phase: MigrationPhase): { readonly query?: Query } {
  return phase === 'two' ? { query: { phase_two: 1 } } : {};
}

/** A step with its configuration; phase two unless told otherwise. */
export interface MigrationWrite {
  readonly step: MigrationStep;
  readonly configuration: MigrationConfiguration;
  readonly phase?: MigrationPhase;
}

/**
 * PUT of the entry point with `waf_migration`. It cannot be taken back (specification 3.1 rule 1), so it is sent once
 * (`repeatability`), and a dry-run client refuses it.
 */
export function migrateWafRequest(zoneId: string, write: MigrationWrite): WriteRequest {
  return {
    method: 'PUT',
    path: entrypointPath({ kind: 'zone', id: zoneId }, MANAGED_PHASE),
    query: { waf_migration: write.step, ...phaseQuery(write.phase ?? 'two').query },
    body: write.configuration,
    phase: MANAGED_PHASE,
  };
}
