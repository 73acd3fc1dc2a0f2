import { inZones } from '../call/route.ts';
import type { Route } from '../call/route.ts';
import { param, readBody } from '../call/call.ts';
import type { Access, ScopedCall } from '../call/call.ts';
import { invalidValue, notFound, decline } from '../protocol/refusal.ts';
import { result } from '../protocol/answer.ts';
import type { Answer } from '../protocol/answer.ts';
import type { WafOverride } from '../records/old-records.ts';
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
} from './waf-packages.ts';
import { createOverrideBody, putOverrideBody, openOldWaf, answerList, showOverride } from './old-waf-view.ts';

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

/** GET the URI-based overrides of a zone (api.md 9.5). */
function listOverrides(call: ScopedCall): Answer {
  const open = openOldWaf(call, 'Read');
  return answerList(call.query, call.service.store.wafOverrides.group(open.zone.id).map(showOverride), {
    narrowings: {},
    orders: [],
    totalPages: 'said',
  });
}

/** GET one override. */
function getOverride(call: ScopedCall): Answer {
  return result(showOverride(findOverride(call, 'Read')));
}

/** POST an override. An id in the body is ignored: the service gives its own. */
function createOverride(call: ScopedCall): Answer {
  const open = openOldWaf(call, 'Write');
  const content = readBody(call, createOverrideBody);
  return storeOverride(call, { id: call.service.newId(), zone: open.zone.id, content });
}

/** PUT an override: replaces its whole content; the id in the body must be that of the path. */
function putOverride(call: ScopedCall): Answer {
  const override = findOverride(call, 'Write');
  const content = readBody(call, putOverrideBody);
  if (content.id !== override.id) {
    throw invalidValue(content.id, '/id', `it must be ${override.id}`);
  }
  return storeOverride(call, { ...override, content });
}

/** DELETE an override; answers with its id. */
function deleteOverride(call: ScopedCall): Answer {
  const override = findOverride(call, 'Write');
  call.service.store.wafOverrides.delete(override.id);
  return result({ id: override.id });
}

function findOverride(call: ScopedCall, access: Access): WafOverride {
  const open = openOldWaf(call, access);
  const id = param(call, 'override');
  const override = call.service.store.wafOverrides.get(id);
  return override?.zone === open.zone.id ? override : decline(notFound('WAF override', id));
}

function storeOverride(call: ScopedCall, override: WafOverride): Answer {
  call.service.store.wafOverrides.set(override.id, override);
  return result(showOverride(override));
}
