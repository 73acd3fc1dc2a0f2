import { isObject, listAt, numberAt, objectAt, textAt, textsAt } from '../protocol/json.ts';
import type { JsonObject } from '../protocol/json.ts';
import { refuse } from '../protocol/refusal.ts';

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
export function checkOldRateLimit(body: JsonObject): void {
  const problems = [...limitProblems(body), ...matchProblems(body), ...actionProblems(body)];
  if (problems.length > 0) {
    throw refuse(400, `ratelimit.api.validation_error:${problems.join(',')}`, { messages: null });
  }
}

function* limitProblems(body: JsonObject): Iterable<string> {
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

function* matchProblems(body: JsonObject): Iterable<string> {
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

function* actionProblems(body: JsonObject): Iterable<string> {
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
