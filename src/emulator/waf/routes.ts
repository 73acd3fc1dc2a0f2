import { inZones } from '../call/route.ts';
import type { Route } from '../call/route.ts';
import { createOverride, deleteOverride, getOverride, listOverrides, putOverride } from './overrides.ts';
import {
  getGroup,
  getPackage,
  getWafRule,
  listGroups,
  listPackages,
  listWafRules,
  patchGroup,
  patchPackage,
  patchWafRule,
} from './packages.ts';

const PACKAGES = '/firewall/waf/packages';
const PACKAGE = `${PACKAGES}/:package`;
const GROUP = `${PACKAGE}/groups/:group`;
const RULE = `${PACKAGE}/rules/:rule{[0-9A-Za-z]+}`;
const OVERRIDES = '/firewall/waf/overrides';

/** The operations of the previous managed-rules WAF (specification 9, row "Previous managed-rules WAF"). */
export const oldWafRoutes: readonly Route[] = [
  inZones('GET', PACKAGES, listPackages),
  inZones('GET', PACKAGE, getPackage),
  inZones('PATCH', PACKAGE, patchPackage),
  inZones('GET', `${PACKAGE}/groups`, listGroups),
  inZones('GET', GROUP, getGroup),
  inZones('PATCH', GROUP, patchGroup),
  inZones('GET', `${PACKAGE}/rules`, listWafRules),
  inZones('GET', RULE, getWafRule),
  inZones('PATCH', RULE, patchWafRule),
  inZones('GET', OVERRIDES, listOverrides),
  inZones('POST', OVERRIDES, createOverride),
  inZones('GET', `${OVERRIDES}/:override`, getOverride),
  inZones('PUT', `${OVERRIDES}/:override`, putOverride),
  inZones('DELETE', `${OVERRIDES}/:override`, deleteOverride),
];
