import { flag, integer, list, object, opaque, text } from '../decode/shape.ts';
import type { ObjectShape } from '../decode/shape.ts';
import { checkEndedFamily } from './access.ts';
import { pageOf, readPage } from '../listing/pages.ts';
import { flagAt, isObject, listAt, objectAt, textAt } from '../protocol/json.ts';
import type { JsonObject } from '../protocol/json.ts';
import { nulls, result } from '../protocol/answer.ts';
import { refuse } from '../protocol/refusal.ts';
import type { ObjectFamily, Owner } from './family.ts';
import { checkOldRateLimit } from './rate-limit-validation.ts';
import { showObject } from './zone-object.ts';

const headers = list(object({ name: text(), op: text(), value: text() }));

/** The body of POST and PUT for an old rate limit (api.md 9.6): JSON types only; `checkOldRateLimit` checks the bounds. */
const rateLimitBody: ObjectShape = object({
  // Members that clients copy from answers: accepted and ignored (assumed).
  id: opaque,
  login_protect: opaque,
  disabled: flag(),
  description: text(),
  match: object({
    request: object({ methods: list(text()), schemes: list(text()), url: text() }),
    response: object({ status: list(integer()), origin_traffic: flag(), headers }),
    headers,
  }),
  bypass: list(object({ name: text(), value: text() })),
  threshold: integer(),
  period: integer(),
  action: object({
    mode: text(),
    timeout: integer(),
    response: object({ content_type: text(), body: text() }),
  }),
  correlate: object({ by: text() }),
});

/** Old rate limits (api.md 9.6). */
export const rateLimits: ObjectFamily = {
  name: 'rate_limits',
  noun: 'rate limit',
  path: '/rate_limits',
  changes: ['PUT'],
  quota: {
    of: 'rate_limits',
    // A zone with more rate limits than its plan allows cannot change any of them either (api.md 9.6).
    binds: 'all writes',
    exceeded: () => refuse(403, 'ratelimit.api.not_entitled.account', { code: 10021 }),
  },
  body: rateLimitBody,
  checkAccess: (call, access) => checkEndedFamily(call, access, 'rate_limits'),
  list: (call, objects) =>
    pageOf(objects, readPage(call.query, { min: 1, max: 1000, standard: 20 }), showObject),
  fill: (body, { owner }) => {
    checkOldRateLimit(body);
    return filledRateLimit(body, owner);
  },
  deleted: (call, id) => (call.service.switches.rateLimitDeletes === 'id' ? result({ id }) : nulls()),
};

/** Returns a valid body with the service's defaults; below Enterprise, `origin_traffic` is always true (api.md 9.6). */
function filledRateLimit(body: JsonObject, owner: Owner): JsonObject {
  const match = objectAt(body, 'match') ?? {};
  const request = objectAt(match, 'request') ?? {};
  const response = objectAt(match, 'response') ?? {};
  const action = objectAt(body, 'action') ?? {};
  const mayChoose = owner.kind === 'zone' && owner.zone.plan === 'enterprise';
  const traffic = mayChoose ? (flagAt(response, 'origin_traffic') ?? true) : true;
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
