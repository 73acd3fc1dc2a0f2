import type { JsonObject } from '../../data/index.ts';
import type { LiveRuleset } from '../../model/index.ts';
import {
  entrypointPath,
  wafMigrationPath,
  wafPackagePath,
  wafPackagesPath,
  decodeResult,
  decodeRuleset,
  decodeItems,
  decodeOne,
  kindOf,
  optionalText,
  textMember,
  unexpected,
  decodeAll,
  numberMember,
  readByPage,
} from '../../api/index.ts';
import type { Query, WriteRequest, ReadClient, WriteClient, FieldReaders } from '../../api/index.ts';
import type { WafStatus } from './waf-migration.ts';
import { MANAGED_PHASE } from './waf-migration.ts';

/**
 * A step of the migration (specification 3.1). `validation`: both WAF versions run (Enterprise). `pending`: the previous one is switched
 * off.
 */
type MigrationRequest = 'validation' | 'pending';

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
  readonly step: MigrationRequest;
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

/** A package of the old WAF (api.md 9.4). Only anomaly packages have a sensitivity and an action mode. */
interface OldWafPackage {
  readonly id: string;
  readonly name: string;
  /** `traditional` or `anomaly`. */
  readonly detectionMode: string;
  /** `high`, `medium`, `low` or `off`; `null` when the package has none. */
  readonly sensitivity: string | null;
  /** `simulate`, `block` or `challenge`; `null` when the package has none. */
  readonly actionMode: string | null;
}

/** A group of the old WAF (api.md 9.4). */
interface OldWafGroup {
  readonly name: string;
  readonly modifiedRulesCount: number;
  /** `on` or `off`. */
  readonly mode: string;
}

/** A rule of the old WAF, in any of its three shapes (api.md 9.4). */
interface OldWafRule {
  readonly id: string;
  readonly mode: string;
  /** The mode that `default` stands for; `null` for rules that are on or off. */
  readonly defaultMode: string | null;
}

/** Decodes a package. Throws `api/unexpected-answer` with the JSON pointer to what is wrong. */
function decodeWafPackage(each: FieldReaders): OldWafPackage {
  return {
    id: textMember(each, 'id'),
    name: textMember(each, 'name'),
    detectionMode: textMember(each, 'detection_mode'),
    sensitivity: optionalText(each, 'sensitivity') ?? null,
    actionMode: optionalText(each, 'action_mode') ?? null,
  };
}

/** Decodes a group. Throws `api/unexpected-answer` with the JSON pointer to what is wrong. */
function decodeWafGroup(group: FieldReaders): OldWafGroup {
  return {
    name: textMember(group, 'name'),
    modifiedRulesCount: numberMember(group, 'modified_rules_count'),
    mode: textMember(group, 'mode'),
  };
}

/** Decodes a rule. Throws `api/unexpected-answer` with the JSON pointer to what is wrong. */
function decodeWafRule(rule: FieldReaders): OldWafRule {
  return {
    id: textMember(rule, 'id'),
    mode: textMember(rule, 'mode'),
    defaultMode: optionalText(rule, 'default_mode') ?? null,
  };
}

/** A package in its zone. */
interface WafPackageAt {
  readonly zoneId: string;
  readonly packageId: string;
}

const PER_PAGE = 100;
const packages = decodeAll(decodeWafPackage);
const groups = decodeAll(decodeWafGroup);
const rules = decodeAll(decodeWafRule);

/**
 * Reads the packages of a zone's old WAF (specification 9, api.md 9.4). All requests of this module fail with 410 once the zone has
 * migrated (specification 3.1 rule 2).
 */
export function listWafPackages(client: ReadClient, zoneId: string): Promise<readonly OldWafPackage[]> {
  return readByPage(client, wafPackagesPath(zoneId), { perPage: PER_PAGE, decode: packages });
}

/** Reads the groups of a package. */
export function listWafGroups(client: ReadClient, at: WafPackageAt): Promise<readonly OldWafGroup[]> {
  const path = `${wafPackagePath(at.zoneId, at.packageId)}/groups`;
  return readByPage(client, path, { perPage: PER_PAGE, decode: groups });
}

/** Reads the rules of a package. */
export function listWafRules(client: ReadClient, at: WafPackageAt): Promise<readonly OldWafRule[]> {
  const path = `${wafPackagePath(at.zoneId, at.packageId)}/rules`;
  return readByPage(client, path, { perPage: PER_PAGE, decode: rules });
}
