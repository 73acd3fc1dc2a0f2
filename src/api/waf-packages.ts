import type { ReadClient } from './client.ts';
import type { WafGroup, WafPackage, WafRule } from './decode-waf-package.ts';
import { decodeWafGroup, decodeWafPackage, decodeWafRule } from './decode-waf-package.ts';
import { readByPage } from './pages.ts';
import { wafPackagePath, wafPackagesPath } from './paths.ts';
import { decodeAll } from './shape.ts';

/** A package in its zone. */
export interface WafPackageAt {
  readonly zoneId: string;
  readonly packageId: string;
}

const PER_PAGE = 100;
const packages = decodeAll(decodeWafPackage);
const groups = decodeAll(decodeWafGroup);
const rules = decodeAll(decodeWafRule);

/**
 * The packages of a zone's old WAF (specification 9, api.md 9.4). Like all of these: gone (410) once the zone has migrated
 * (specification 3.1 rule 2).
 */
export function listWafPackages(client: ReadClient, zoneId: string): Promise<readonly WafPackage[]> {
  return readByPage(client, wafPackagesPath(zoneId), { perPage: PER_PAGE, decode: packages });
}

/** The groups of a package. */
export function listWafGroups(client: ReadClient, at: WafPackageAt): Promise<readonly WafGroup[]> {
  const path = `${wafPackagePath(at.zoneId, at.packageId)}/groups`;
  return readByPage(client, path, { perPage: PER_PAGE, decode: groups });
}

/** The rules of a package. */
export function listWafRules(client: ReadClient, at: WafPackageAt): Promise<readonly WafRule[]> {
  const path = `${wafPackagePath(at.zoneId, at.packageId)}/rules`;
  return readByPage(client, path, { perPage: PER_PAGE, decode: rules });
}
