import type { FieldReaders } from './shape.ts';
import { decodeAll, numberMember, optionalText, textMember } from './shape.ts';
import type { ReadClient } from './client.ts';
import { readByPage } from './pages.ts';
import { wafPackagePath, wafPackagesPath } from './paths.ts';

/** A package of the old WAF (api.md 9.4). Only anomaly packages have a sensitivity and an action mode. */
interface WafPackage {
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
interface WafGroup {
  readonly name: string;
  readonly modifiedRulesCount: number;
  /** `on` or `off`. */
  readonly mode: string;
}

/** A rule of the old WAF, in any of its three shapes (api.md 9.4). */
interface WafRule {
  readonly id: string;
  readonly mode: string;
  /** The mode that `default` stands for; `null` for rules that are on or off. */
  readonly defaultMode: string | null;
}

/** Decodes a package. Throws `api/unexpected-answer` with the JSON pointer to what is wrong. */
function decodeWafPackage(each: FieldReaders): WafPackage {
  return {
    id: textMember(each, 'id'),
    name: textMember(each, 'name'),
    detectionMode: textMember(each, 'detection_mode'),
    sensitivity: optionalText(each, 'sensitivity') ?? null,
    actionMode: optionalText(each, 'action_mode') ?? null,
  };
}

/** Decodes a group. Throws `api/unexpected-answer` with the JSON pointer to what is wrong. */
function decodeWafGroup(group: FieldReaders): WafGroup {
  return {
    name: textMember(group, 'name'),
    modifiedRulesCount: numberMember(group, 'modified_rules_count'),
    mode: textMember(group, 'mode'),
  };
}

/** Decodes a rule. Throws `api/unexpected-answer` with the JSON pointer to what is wrong. */
function decodeWafRule(rule: FieldReaders): WafRule {
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
export function listWafPackages(client: ReadClient, zoneId: string): Promise<readonly WafPackage[]> {
  return readByPage(client, wafPackagesPath(zoneId), { perPage: PER_PAGE, decode: packages });
}

/** Reads the groups of a package. */
export function listWafGroups(client: ReadClient, at: WafPackageAt): Promise<readonly WafGroup[]> {
  const path = `${wafPackagePath(at.zoneId, at.packageId)}/groups`;
  return readByPage(client, path, { perPage: PER_PAGE, decode: groups });
}

/** Reads the rules of a package. */
export function listWafRules(client: ReadClient, at: WafPackageAt): Promise<readonly WafRule[]> {
  const path = `${wafPackagePath(at.zoneId, at.packageId)}/rules`;
  return readByPage(client, path, { perPage: PER_PAGE, decode: rules });
}
