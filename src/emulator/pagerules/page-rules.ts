import { decodeBody, permissionProblem, type ScopedCall } from '../call.ts';
import { list, integer, object, type ObjectShape, opaque, text } from '../decode/shape.ts';
import { oldQuota } from '../firewall/quota.ts';
import { isObject, type JsonObject, listAt, numberAt, objectAt, textAt } from '../json.ts';
import { type Answer, result } from '../protocol/answer.ts';
import { isRefusal, type Refusal, refuse, serviceError } from '../protocol/refusal.ts';
import { inZones, type Route } from '../route.ts';
import { findObject, objectsOf, showObject, type ZoneObject, zoneOf } from '../zone-objects.ts';
import { actionsProblems } from './actions.ts';
import { listPageRules } from './list.ts';

const FAMILY = 'page_rules';

/** The operations of page rules (api.md 9.7). */
export const pageRuleRoutes: readonly Route[] = [
  inZones('GET', '/pagerules', (call) => permissionOf(call, 'Read') ?? listPageRules(call)),
  inZones('POST', '/pagerules', createPageRule),
  inZones('GET', '/pagerules/:object', getPageRule),
  inZones('PUT', '/pagerules/:object', (call) => changePageRule(call, 'whole')),
  inZones('PATCH', '/pagerules/:object', (call) => changePageRule(call, 'part')),
  inZones('DELETE', '/pagerules/:object', deletePageRule),
];

/** The body of a page rule; bounds are judged afterwards. */
export const pageRuleBody: ObjectShape = object({
  id: opaque,
  created_on: opaque,
  modified_on: opaque,
  targets: list(object({ target: text(), constraint: object({ operator: text(), value: text() }) })),
  actions: list(object({ id: text(), value: opaque })),
  priority: integer(),
  status: text(),
});

function getPageRule(call: ScopedCall): Answer | Refusal {
  const found = permissionOf(call, 'Read') ?? findObject(call, FAMILY);
  return isRefusal(found) ? found : result(showObject(found));
}

function createPageRule(call: ScopedCall): Answer | Refusal {
  const body = permissionOf(call, 'Write') ?? decodeBody(call, pageRuleBody);
  if (isRefusal(body)) {
    return body;
  }
  const zone = zoneOf(call);
  const problem = pageRuleProblem(body);
  if (problem !== undefined) {
    return problem;
  }
  const present = objectsOf(call.service.store, zone, FAMILY).length;
  const max = oldQuota(zone, FAMILY);
  if (present >= max) {
    return validationFailed([`the limit of ${max} page rules has been reached`]);
  }
  const now = call.service.stamp();
  return store(call, call.service.newId(), { ...filledPageRule(body), created_on: now, modified_on: now });
}

/** PUT replaces the rule, PATCH what its body names. */
function changePageRule(call: ScopedCall, extent: 'whole' | 'part'): Answer | Refusal {
  const found = permissionOf(call, 'Write') ?? findObject(call, FAMILY);
  if (isRefusal(found)) {
    return found;
  }
  const sent = decodeBody(call, pageRuleBody);
  if (isRefusal(sent)) {
    return sent;
  }
  const body = extent === 'whole' ? sent : { ...found.body, ...sent };
  const dates = { created_on: found.body['created_on'], modified_on: call.service.stamp() };
  return pageRuleProblem(body) ?? store(call, found.id, { ...filledPageRule(body), ...dates });
}

function deletePageRule(call: ScopedCall): Answer | Refusal {
  const found = permissionOf(call, 'Write') ?? findObject(call, FAMILY);
  if (isRefusal(found)) {
    return found;
  }
  call.service.store.zoneObjects.delete(found.id);
  return result({ id: found.id });
}

function store(call: ScopedCall, id: string, body: JsonObject): Answer {
  const stored: ZoneObject = { id, zone: zoneOf(call).id, family: FAMILY, body };
  call.service.store.zoneObjects.set(id, stored);
  return result(showObject(stored));
}

/** A valid body with the service's defaults: priority 1, disabled (api.md 9.7, newest schema). */
export function filledPageRule(body: JsonObject): JsonObject {
  return {
    targets: listAt(body, 'targets'),
    actions: listAt(body, 'actions'),
    priority: numberAt(body, 'priority') ?? 1,
    status: textAt(body, 'status') ?? 'disabled',
  };
}

/** The refusal of a decoded body, with everything that is wrong among its messages. */
export function pageRuleProblem(body: JsonObject): Refusal | undefined {
  const targets = listAt(body, 'targets').filter(isObject);
  const problems = [
    ...(targets.length === 1 ? [] : ['exactly one target is required']),
    ...targets.flatMap(targetProblems),
    ...actionsProblems(listAt(body, 'actions')),
    ...(['active', 'disabled', undefined].includes(textAt(body, 'status'))
      ? []
      : ['status must be active or disabled']),
    ...((numberAt(body, 'priority') ?? 1) < 1 ? ['priority must be at least 1'] : []),
  ];
  return problems.length === 0 ? undefined : validationFailed(problems);
}

function targetProblems(target: JsonObject): readonly string[] {
  const constraint = objectAt(target, 'constraint') ?? {};
  return [
    ...(textAt(target, 'target') === 'url' ? [] : ['target must be url']),
    ...(textAt(constraint, 'operator') === 'matches' ? [] : ['operator must be matches']),
    ...((textAt(constraint, 'value') ?? '') === '' ? ['the url of a target cannot be blank'] : []),
  ];
}

// Code and text of the error as users report it; the texts of the messages are assumed.
function validationFailed(problems: readonly string[]): Refusal {
  return {
    ...refuse(400, serviceError('Page Rule validation failed: See messages for details.', 1004)),
    messages: problems.map((message) => ({ code: 1, message, type: null })),
  };
}

function permissionOf(call: ScopedCall, access: 'Read' | 'Write'): Refusal | undefined {
  return permissionProblem(
    call,
    access === 'Read' ? ['Page Rules Read', 'Page Rules Write'] : ['Page Rules Write'],
  );
}
