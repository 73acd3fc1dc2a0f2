import { entrypointPath } from './paths.ts';
import type { Query, WriteRequest } from './request.ts';
import type { JsonObject } from '../model/json.ts';
import { MANAGED_PHASE } from '../model/waf-migration.ts';

/** A step of the migration (specification 3.1): both versions run (Enterprise), or the previous one is switched off. */
export type MigrationStep = 'validation' | 'pending';

/** The entry point that a zone is to have (specification 4.3 rule 5: empty `id`, `version`, `ref` count as absent). */
export interface MigrationConfiguration {
  readonly name?: string;
  readonly description?: string;
  readonly rules: readonly JsonObject[];
}

/** Asks by the rules of eligibility of phase two: those of phase one let fewer zones migrate (specification 3.2). */
export const PHASE_TWO: Query = { phase_two: 1 };

/** A step with its configuration. */
export interface MigrationWrite {
  readonly step: MigrationStep;
  readonly configuration: MigrationConfiguration;
}

/**
 * PUT of the entry point with `waf_migration`. It cannot be taken back (specification 3.1 rule 1), so it is sent once
 * (`repeatability`), and a dry-run client refuses it.
 */
export function migrateWafRequest(zoneId: string, write: MigrationWrite): WriteRequest {
  return {
    method: 'PUT',
    path: entrypointPath({ kind: 'zone', id: zoneId }, MANAGED_PHASE),
    query: { waf_migration: write.step, ...PHASE_TWO },
    body: write.configuration,
    phase: MANAGED_PHASE,
  };
}
