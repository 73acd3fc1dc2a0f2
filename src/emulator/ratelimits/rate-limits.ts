import { decodeBody, type ScopedCall } from '../call.ts';
import { readPage, pageOf } from '../directory/pages.ts';
import { endedFamilyProblem } from '../firewall/access.ts';
import { oldQuota } from '../firewall/quota.ts';
import { flagAt, isObject, type JsonObject, listAt, objectAt, textAt } from '../json.ts';
import { type Answer, nulls, result } from '../protocol/answer.ts';
import { isRefusal, type Refusal, refuse, serviceError } from '../protocol/refusal.ts';
import { inZones, type Route } from '../route.ts';
import type { Zone } from '../store/records.ts';
import { findObject, objectsOf, showObject, type ZoneObject, zoneOf } from '../zone-objects.ts';
import { rateLimitBody } from './body.ts';
import { rateLimitProblem } from './validation.ts';

const FAMILY = 'rate_limits';

/** The operations of old rate limits (api.md 9.6). */
export const rateLimitRoutes: readonly Route[] = [
  inZones('GET', '/rate_limits', listRateLimits),
  inZones('POST', '/rate_limits', createRateLimit),
  inZones('GET', '/rate_limits/:object', getRateLimit),
  inZones('PUT', '/rate_limits/:object', putRateLimit),
  inZones('DELETE', '/rate_limits/:object', deleteRateLimit),
];

function listRateLimits(call: ScopedCall): Answer | Refusal {
  const denied = endedFamilyProblem(call, 'Read', FAMILY);
  const page = denied ?? readPage(call.query, { min: 1, max: 1000, standard: 20 });
  return isRefusal(page)
    ? page
    : pageOf(objectsOf(call.service.store, zoneOf(call), FAMILY), page, showObject);
}

function getRateLimit(call: ScopedCall): Answer | Refusal {
  const found = endedFamilyProblem(call, 'Read', FAMILY) ?? findObject(call, FAMILY);
  return isRefusal(found) ? found : result(showObject(found));
}

function createRateLimit(call: ScopedCall): Answer | Refusal {
  const body = endedFamilyProblem(call, 'Write', FAMILY) ?? decodeBody(call, rateLimitBody);
  if (isRefusal(body)) {
    return body;
  }
  const problem = rateLimitProblem(body) ?? quotaProblem(call, 1);
  return problem ?? store(call, call.service.newId(), body);
}

function putRateLimit(call: ScopedCall): Answer | Refusal {
  const found = endedFamilyProblem(call, 'Write', FAMILY) ?? findObject(call, FAMILY);
  if (isRefusal(found)) {
    return found;
  }
  const body = decodeBody(call, rateLimitBody);
  if (isRefusal(body)) {
    return body;
  }
  // While there are more than the plan allows, nothing can be changed either (api.md 9.6).
  return rateLimitProblem(body) ?? quotaProblem(call, 0) ?? store(call, found.id, body);
}

function deleteRateLimit(call: ScopedCall): Answer | Refusal {
  const found = endedFamilyProblem(call, 'Write', FAMILY) ?? findObject(call, FAMILY);
  if (isRefusal(found)) {
    return found;
  }
  call.service.store.zoneObjects.delete(found.id);
  return call.service.switches.rateLimitDeletes === 'id' ? result({ id: found.id }) : nulls();
}

function quotaProblem(call: ScopedCall, more: 0 | 1): Refusal | undefined {
  const zone = zoneOf(call);
  const count = objectsOf(call.service.store, zone, FAMILY).length + more;
  return count > oldQuota(zone, FAMILY)
    ? refuse(403, serviceError('ratelimit.api.not_entitled.account', 10021))
    : undefined;
}

function store(call: ScopedCall, id: string, body: JsonObject): Answer {
  const zone = zoneOf(call);
  const stored: ZoneObject = { id, zone: zone.id, family: FAMILY, body: filledRateLimit(body, zone) };
  call.service.store.zoneObjects.set(id, stored);
  return result(showObject(stored));
}

/** A valid body with what the service fills in: defaults, and `origin_traffic` below Enterprise (api.md 9.6). */
export function filledRateLimit(body: JsonObject, zone: Zone): JsonObject {
  const match = objectAt(body, 'match') ?? {};
  const request = objectAt(match, 'request') ?? {};
  const response = objectAt(match, 'response') ?? {};
  const action = objectAt(body, 'action') ?? {};
  const traffic = zone.plan === 'enterprise' ? (flagAt(response, 'origin_traffic') ?? true) : true;
  const description = textAt(body, 'description') ?? '';
  return {
    disabled: flagAt(body, 'disabled') ?? false,
    ...(description === '' ? {} : { description }),
    match: {
      ...match,
      request: {
        methods: orAll(request, 'methods'),
        schemes: orAll(request, 'schemes'),
        url: textAt(request, 'url') ?? '*',
      },
      response: { ...response, origin_traffic: traffic },
    },
    ...(listAt(body, 'bypass').length === 0 ? {} : { bypass: listAt(body, 'bypass').filter(isObject) }),
    login_protect: false,
    threshold: body['threshold'],
    period: body['period'],
    action: action['timeout'] === 0 ? withoutTimeout(action) : action,
    ...(body['correlate'] === undefined ? {} : { correlate: body['correlate'] }),
  };
}

function orAll(request: JsonObject, key: string): readonly unknown[] {
  const given = listAt(request, key);
  return given.length === 0 ? ['_ALL_'] : given;
}

function withoutTimeout(action: JsonObject): JsonObject {
  return Object.fromEntries(Object.entries(action).filter(([key]) => key !== 'timeout'));
}
