import type { FamilyScope } from '../call/call.ts';
import { checkEndedFamily } from '../call/old-interfaces.ts';
import { flag, integer, list, object, text } from '../decode/body-shape.ts';
import { nulls, result } from '../protocol/answer.ts';
import { flagAt, isObject, listAt, numberAt, objectAt, textAt, textsAt } from '../protocol/wire-object.ts';
import type { WireObject } from '../protocol/wire-object.ts';
import { refuse } from '../protocol/refusal.ts';
import { paged, replaced } from './family.ts';
import type { Family } from './family.ts';

const METHODS = ['GET', 'POST', 'PUT', 'DELETE', 'PATCH', 'HEAD', '_ALL_'];
const SCHEMES = ['HTTP', 'HTTPS', '_ALL_'];
const TIMED_MODES = ['simulate', 'ban'];
const MODES = [...TIMED_MODES, 'challenge', 'js_challenge', 'managed_challenge'];
const CONTENT_TYPES = ['text/plain', 'text/xml', 'application/json'];
const DAY = 86_400;

/**
 * Refuses a decoded body that is not valid, with all problems in one message, as recorded for thresholds and periods
 * that are too low (the other texts are assumed; api.md 9.6).
 */
function checkOldRateLimit(body: WireObject): void {
  const problems = [...limitProblems(body), ...matchProblems(body), ...actionProblems(body)];
  if (problems.length > 0) {
    throw refuse(400, `ratelimit.api.validation_error:${problems.join(',')}`, { messages: null });
  }
}

function* limitProblems(body: WireObject): Iterable<string> {
  const threshold = numberAt(body, 'threshold') ?? 0;
  const period = numberAt(body, 'period') ?? 0;
  // The schema says 1, but the service required 2.
  if (threshold < 2) {
    yield 'threshold is too low and must be at least 2';
  }
  if (period < 1) {
    yield 'sample_rate is too low and must be at least 1 second';
  } else if (period < 10) {
    yield 'sample_rate is too low and must be at least 10 seconds';
  } else if (period > DAY) {
    yield `sample_rate is too high and must be at most ${DAY} seconds`;
  }
  if ((textAt(body, 'description') ?? '').length > 1024) {
    yield 'description is too long and must be at most 1024 characters';
  }
  const by = textAt(objectAt(body, 'correlate') ?? {}, 'by');
  if (by !== undefined && by !== 'nat') {
    yield 'correlate.by must be nat';
  }
}

function* matchProblems(body: WireObject): Iterable<string> {
  const match = objectAt(body, 'match');
  if (match === undefined) {
    yield 'match is required';
  }
  const request = objectAt(match ?? {}, 'request') ?? {};
  const response = objectAt(match ?? {}, 'response') ?? {};
  yield* unknownWords('match.request.methods', textsAt(request, 'methods'), METHODS);
  yield* unknownWords('match.request.schemes', textsAt(request, 'schemes'), SCHEMES);
  if ((textAt(request, 'url') ?? '').length > 1024) {
    yield 'match.request.url is too long and must be at most 1024 characters';
  }
  const statuses = listAt(response, 'status');
  if (statuses.some((status) => typeof status === 'number' && (status < 100 || status > 999))) {
    yield 'match.response.status must hold HTTP statuses';
  }
  const headers = [...listAt(match ?? {}, 'headers'), ...listAt(response, 'headers')].filter(isObject);
  yield* unknownWords(
    'header operators',
    headers.map((header) => textAt(header, 'op') ?? ''),
    ['eq', 'ne'],
  );
  const bypasses = listAt(body, 'bypass').filter(isObject);
  yield* unknownWords(
    'bypass names',
    bypasses.map((bypass) => textAt(bypass, 'name') ?? ''),
    ['url'],
  );
}

function* actionProblems(body: WireObject): Iterable<string> {
  const action = objectAt(body, 'action');
  const mode = textAt(action ?? {}, 'mode') ?? '';
  if (!MODES.includes(mode)) {
    yield `action.mode must be one of ${MODES.join(' ')}`;
    return;
  }
  // Clients send a timeout of 0 to mean none.
  const timeout = numberAt(action ?? {}, 'timeout') ?? 0;
  if (!TIMED_MODES.includes(mode)) {
    if (timeout !== 0) {
      yield `action.timeout cannot be given with mode ${mode}`;
    }
    return;
  }
  if (timeout < 1 || timeout > DAY) {
    yield `action.timeout must be from 1 to ${DAY} seconds`;
  } else if (timeout < (numberAt(body, 'period') ?? 0)) {
    yield 'action.timeout is too low and must be at least the period';
  }
  const response = objectAt(action ?? {}, 'response');
  if (response !== undefined) {
    yield* unknownWords(
      'action.response.content_type',
      [textAt(response, 'content_type') ?? ''],
      CONTENT_TYPES,
    );
    if ((textAt(response, 'body') ?? '').length > 10_240) {
      yield 'action.response.body is too long and must be at most 10240 characters';
    }
  }
}

function* unknownWords(what: string, given: readonly string[], known: readonly string[]): Iterable<string> {
  if (given.some((word) => !known.includes(word))) {
    yield `${what} must be among ${known.join(' ')}`;
  }
}

const headers = list(object({ name: text(), op: text(), value: text() }));

/** Old rate limits (api.md 9.6). */
export const rateLimits = {
  path: '/rate_limits',
  holds: 'collection',
  noun: 'rate limit',
  access: (call, access) => checkEndedFamily(call, access, 'rate_limits'),
  writes: { POST: replaced, PUT: replaced },
  deletes: true,
  quota: {
    max: { free: 1, pro: 10, business: 15, enterprise: 100 },
    // A zone with more rate limits than its plan allows cannot change any of them either (api.md 9.6).
    binds: 'all writes',
    exceeded: () => refuse(403, 'ratelimit.api.not_entitled.account', { code: 10021 }),
  },
  ignores: ['login_protect'],
  // JSON types only: all problems are reported at once.
  body: object({
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
  }),
  fill: (body, { scope }) => {
    checkOldRateLimit(body);
    return filledRateLimit(body, scope);
  },
  list: paged({}),
  deleted: ({ service }, id) => (service.switches.rateLimitDeletes === 'id' ? result({ id }) : nulls()),
} as const satisfies Family;

/** Returns a valid body with the service's defaults; below Enterprise, `origin_traffic` is always true (api.md 9.6). */
function filledRateLimit(body: WireObject, scope: FamilyScope): WireObject {
  const match = objectAt(body, 'match') ?? {};
  const request = objectAt(match, 'request') ?? {};
  const response = objectAt(match, 'response') ?? {};
  const action = objectAt(body, 'action') ?? {};
  const mayChoose = scope.kind === 'zone' && scope.zone.plan === 'enterprise';
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

function orAll(request: WireObject, key: string): readonly unknown[] {
  const given = listAt(request, key);
  return given.length === 0 ? ['_ALL_'] : given;
}

function withoutTimeout(action: WireObject): WireObject {
  return Object.fromEntries(Object.entries(action).filter(([key]) => key !== 'timeout'));
}
