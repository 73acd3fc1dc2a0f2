import { wafGroupPath, wafPackagePath, wafRulePath } from './paths.ts';
import type { WriteRequest } from './request.ts';

/** What can change in an anomaly package (api.md 9.4); absent members stay. */
export interface WafPackageChange {
  readonly sensitivity?: 'high' | 'medium' | 'low' | 'off';
  readonly actionMode?: 'simulate' | 'block' | 'challenge';
}

/** A package in its zone. */
export interface WafPackageAt {
  readonly zoneId: string;
  readonly packageId: string;
}

/** PATCH of a package. */
export function editWafPackageRequest(at: WafPackageAt, change: WafPackageChange): WriteRequest {
  const { sensitivity, actionMode } = change;
  return {
    method: 'PATCH',
    path: wafPackagePath(at.zoneId, at.packageId),
    body: {
      ...(sensitivity === undefined ? {} : { sensitivity }),
      ...(actionMode === undefined ? {} : { action_mode: actionMode }),
    },
  };
}

/** PATCH of a group. */
export function setWafGroupModeRequest(at: WafPackageAt, groupId: string, mode: 'on' | 'off'): WriteRequest {
  return { method: 'PATCH', path: wafGroupPath(at.zoneId, at.packageId, groupId), body: { mode } };
}

/** PATCH of a rule. */
export function setWafRuleModeRequest(at: WafPackageAt, ruleId: string, mode: string): WriteRequest {
  return { method: 'PATCH', path: wafRulePath(at.zoneId, at.packageId, ruleId), body: { mode } };
}
