import type { JsonObject } from '../data/index.ts';
import type { WafStatus, LiveRuleset } from '../model/index.ts';
import { MANAGED_PHASE } from '../model/index.ts';
import { entrypointPath, wafMigrationPath } from './paths.ts';
import type { Query, WriteRequest } from './request.ts';
import { decodeResult } from './response.ts';
import type { ReadClient, WriteClient } from './client.ts';
import { decodeRuleset } from './decode-ruleset.ts';
import type { FieldReaders } from './shape.ts';
import { decodeItems, decodeOne, kindOf, optionalText, textMember, unexpected } from './shape.ts';

/**
 * A step of the migration (specification 3.1). `validation`: both WAF versions run (Enterprise). `pending`: the previous one is switched
 * off.
 */
type MigrationStep = 'validation' | 'pending';

/** The entry point that the migration gives a zone (specification 4.3 rule 5: empty `id`, `version`, `ref` count as absent). */
export interface MigrationConfiguration {
  readonly name?: string;
  readonly description?: string;
  readonly rules: readonly JsonObject[];
}

/** Selects the eligibility rules of phase two: those of phase one let fewer zones migrate (specification 3.2). */
const PHASE_TWO: Query = { phase_two: 1 };

/** A step with its configuration. */
interface MigrationWrite {
  readonly step: MigrationStep;
  readonly configuration: MigrationConfiguration;
}

/**
 * PUT of the entry point with `waf_migration`. It cannot be undone (specification 3.1 rule 1), so it is never repeated (`repeatability`),
 * and a dry-run client refuses it.
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

/** Whether a zone can be migrated (specification 2.7). */
interface MigrationCheck {
  readonly compatible: boolean;
  /** `null` where the service does not say, as for zones that are not compatible (api.md 10.1). */
  readonly state: string | null;
}

/** Reads whether a zone can be migrated (specification 4.3). */
export async function checkWafMigration(client: ReadClient, zoneId: string): Promise<MigrationCheck> {
  const response = await client.get(wafMigrationPath(zoneId, 'check'), { query: PHASE_TWO });
  return decodeResult(response, decodeOne(decodeCheck));
}

/** Reads the configuration that the service generates from a zone's old WAF (specification 3.3, 4.3). */
export async function getWafMigrationConfiguration(
  client: ReadClient,
  zoneId: string,
): Promise<MigrationConfiguration> {
  const response = await client.get(wafMigrationPath(zoneId, 'config'), { query: PHASE_TWO });
  return decodeResult(response, decodeOne(decodeConfiguration));
}

/** Reads which WAF versions are on in a zone, and the state of its migration (specification 4.3). */
export async function getWafMigrationStatus(client: ReadClient, zoneId: string): Promise<WafStatus> {
  return decodeResult(await client.get(wafMigrationPath(zoneId, 'status')), decodeOne(decodeStatus));
}

function decodeCheck(check: FieldReaders): MigrationCheck {
  const { compatible } = check.object;
  if (typeof compatible !== 'boolean') {
    throw unexpected('/compatible', `should be true or false and is ${kindOf(compatible)}`);
  }
  return { compatible, state: optionalText(check, 'migration_state') ?? null };
}

function decodeConfiguration(ruleset: FieldReaders): MigrationConfiguration {
  const rules = decodeItems(ruleset, 'rules', ({ object }) => object);
  return { name: textMember(ruleset, 'name'), rules };
}

function decodeStatus(status: FieldReaders): WafStatus {
  return {
    oldWaf: textMember(status, 'old_waf_status'),
    newWaf: textMember(status, 'new_waf_status'),
    state: textMember(status, 'migration_state'),
  };
}

/**
 * Takes a step of the migration with this configuration (specification 3.1, 4.3). It cannot be undone and is never repeated: after an
 * unknown outcome (`isUncertain`) call `getWafMigrationStatus`.
 */
export async function migrateWaf(
  client: WriteClient,
  zoneId: string,
  write: MigrationWrite,
): Promise<LiveRuleset> {
  return decodeResult(await client.send(migrateWafRequest(zoneId, write)), decodeRuleset);
}
