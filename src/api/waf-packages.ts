import { accept } from './accept.ts';
import type { ReadClient, WriteClient } from './client.ts';
import type { WafGroup, WafPackage, WafRule } from './decode-waf-package.ts';
import { decodeWafGroup, decodeWafPackage, decodeWafRule } from './decode-waf-package.ts';
import { decodeAll, decodeSingle } from './decode-zone-objects.ts';
import { readByPage } from './pages.ts';
import { wafGroupPath, wafPackagePath, wafPackagesPath, wafRulePath } from './paths.ts';
import type { WafPackageAt, WafPackageChange } from './waf-package-requests.ts';
import {
  editWafPackageRequest,
  setWafGroupModeRequest,
  setWafRuleModeRequest,
} from './waf-package-requests.ts';

const PER_PAGE = 100;
const packages = decodeAll(decodeWafPackage);
const onePackage = decodeSingle(decodeWafPackage);
const groups = decodeAll(decodeWafGroup);
const oneGroup = decodeSingle(decodeWafGroup);
const rules = decodeAll(decodeWafRule);
const oneRule = decodeSingle(decodeWafRule);

/**
 * The packages of a zone's old WAF (specification 9, api.md 9.4). Like all of these: `isGone` once the zone has migrated
 * (specification 3.1 rule 2).
 */
export function listWafPackages(client: ReadClient, zoneId: string): Promise<readonly WafPackage[]> {
  return readByPage(client, wafPackagesPath(zoneId), { perPage: PER_PAGE, decode: packages });
}

/** One package. */
export async function getWafPackage(client: ReadClient, at: WafPackageAt): Promise<WafPackage> {
  return accept(await client.get(wafPackagePath(at.zoneId, at.packageId)), onePackage);
}

/** Changes sensitivity or action mode of an anomaly package (api.md 9.4). */
export async function editWafPackage(
  client: WriteClient,
  at: WafPackageAt,
  change: WafPackageChange,
): Promise<WafPackage> {
  return accept(await client.send(editWafPackageRequest(at, change)), onePackage);
}

/** The groups of a package. */
export function listWafGroups(client: ReadClient, at: WafPackageAt): Promise<readonly WafGroup[]> {
  const path = `${wafPackagePath(at.zoneId, at.packageId)}/groups`;
  return readByPage(client, path, { perPage: PER_PAGE, decode: groups });
}

/** One group. */
export async function getWafGroup(client: ReadClient, at: WafPackageAt, groupId: string): Promise<WafGroup> {
  return accept(await client.get(wafGroupPath(at.zoneId, at.packageId, groupId)), oneGroup);
}

/** Switches a group on or off. */
export async function setWafGroupMode(
  client: WriteClient,
  at: WafPackageAt,
  groupId: string,
  mode: 'on' | 'off',
): Promise<WafGroup> {
  return accept(await client.send(setWafGroupModeRequest(at, groupId, mode)), oneGroup);
}

/** The rules of a package. */
export function listWafRules(client: ReadClient, at: WafPackageAt): Promise<readonly WafRule[]> {
  const path = `${wafPackagePath(at.zoneId, at.packageId)}/rules`;
  return readByPage(client, path, { perPage: PER_PAGE, decode: rules });
}

/** One rule. */
export async function getWafRule(client: ReadClient, at: WafPackageAt, ruleId: string): Promise<WafRule> {
  return accept(await client.get(wafRulePath(at.zoneId, at.packageId, ruleId)), oneRule);
}

/** Sets the mode of a rule: one of its `allowedModes` (api.md 9.4). */
export async function setWafRuleMode(
  client: WriteClient,
  at: WafPackageAt,
  ruleId: string,
  mode: string,
): Promise<WafRule> {
  return accept(await client.send(setWafRuleModeRequest(at, ruleId, mode)), oneRule);
}
