import type { PlanLevel, Zone } from '../records/directory.ts';

type ByPlan = Readonly<Record<PlanLevel, number>>;

/** The maximum number of objects of each old family in a zone, by plan (api.md 8.1). */
const limits: Readonly<Record<OldFamily, ByPlan>> = {
  firewall_rules: { free: 5, pro: 20, business: 100, enterprise: 1000 },
  rate_limits: { free: 1, pro: 10, business: 15, enterprise: 100 },
  page_rules: { free: 3, pro: 20, business: 50, enterprise: 125 },
  ua_rules: { free: 10, pro: 50, business: 250, enterprise: 1000 },
  lockdowns: { free: 0, pro: 3, business: 10, enterprise: 200 },
};

/** The old families with a quota. */
export type OldFamily = 'firewall_rules' | 'rate_limits' | 'page_rules' | 'ua_rules' | 'lockdowns';

/** Returns the maximum number of objects of a family that the zone's plan allows. */
export function oldQuota(zone: Zone, family: OldFamily): number {
  return limits[family][zone.plan];
}
