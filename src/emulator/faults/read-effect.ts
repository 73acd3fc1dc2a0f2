import { flagAt, isObject, type JsonObject, listAt, numberAt, objectAt, textAt, textsAt } from '../json.ts';
import type { Method } from '../route.ts';
import type { Change, Effect, Moment } from './fault.ts';

const BAD_GATEWAY = 502;
const PIECES = 10;

/** Turns a judged effect into what it means, with its defaults. */
export function readEffect(raw: JsonObject): Effect {
  const moment: Moment = raw['moment'] === 'after' ? 'after' : 'before';
  const seconds = numberAt(raw, 'seconds') ?? 0;
  switch (raw['kind']) {
    case 'error':
      return { kind: 'error', ...readAnswer(raw), moment };
    case 'delay':
      return {
        kind: 'delay',
        milliseconds: numberAt(raw, 'milliseconds') ?? seconds * 1000,
        real: flagAt(raw, 'real') ?? false,
      };
    case 'cut':
      return { kind: 'cut', moment };
    case 'html':
      return {
        kind: 'html',
        status: numberAt(raw, 'status') ?? BAD_GATEWAY,
        text: textAt(raw, 'text'),
        moment,
      };
    case 'truncate':
      return {
        kind: 'truncate',
        bytes: numberAt(raw, 'bytes'),
        connection: raw['connection'] === 'kept' ? 'kept' : 'closed',
      };
    case 'slow':
      return {
        kind: 'slow',
        pieces: numberAt(raw, 'pieces') ?? PIECES,
        milliseconds: numberAt(raw, 'milliseconds') ?? 0,
      };
    case 'limit':
      return { kind: 'limit', seconds, retryAfter: numberAt(raw, 'retry_after') };
    case 'edit':
      return {
        kind: 'edit',
        scope: textAt(raw, 'scope'),
        phase: textAt(raw, 'phase'),
        change: readChange(objectAt(raw, 'change') ?? {}),
        moment,
      };
    case 'spread':
      return { kind: 'spread', seconds };
    case 'unknown_fields':
      return { kind: 'unknown_fields', fields: objectAt(raw, 'fields') ?? { x_unknown: { since: 2026 } } };
    case 'missing':
      return { kind: 'missing', members: raw['members'] === undefined ? ['rules'] : textsAt(raw, 'members') };
    case 'stale':
      return { kind: 'stale' };
    case 'twice':
      return { kind: 'twice' };
    default:
      throw new Error(`no effect is called ${String(raw['kind'])}`);
  }
}

/** One error by `code` and `message`, or the whole list as it is to be. */
function readAnswer(raw: JsonObject) {
  const status = numberAt(raw, 'status') ?? BAD_GATEWAY;
  const code = numberAt(raw, 'code');
  const message = textAt(raw, 'message') ?? 'injected fault';
  const errors =
    raw['errors'] === undefined
      ? [{ ...(code === undefined ? {} : { code }), message }]
      : listAt(raw, 'errors').filter(isObject);
  const headers = Object.entries(objectAt(raw, 'headers') ?? {}).map(([name, value]) => [
    name.toLowerCase(),
    String(value),
  ]);
  return { status, errors, headers: Object.fromEntries(headers) };
}

const METHODS: readonly Method[] = ['GET', 'POST', 'PUT', 'PATCH', 'DELETE'];

function readChange(raw: JsonObject): Change {
  const rule = textAt(raw, 'rule') ?? '';
  const position = objectAt(raw, 'position');
  switch (raw['kind']) {
    case 'add':
      return { kind: 'add', rule: objectAt(raw, 'rule') ?? {}, position };
    case 'patch':
      return { kind: 'patch', rule, set: objectAt(raw, 'set') ?? {} };
    case 'delete':
      return { kind: 'delete', rule };
    case 'move':
      return { kind: 'move', rule, position: position ?? {} };
    case 'create_ruleset':
      return { kind: 'create_ruleset', ruleset: objectAt(raw, 'ruleset') ?? {} };
    case 'delete_ruleset':
      return { kind: 'delete_ruleset', ruleset: textAt(raw, 'ruleset') };
    case 'request':
      return {
        kind: 'request',
        method: METHODS.find((method) => method === raw['method']) ?? 'GET',
        path: textAt(raw, 'path') ?? '/',
        body: objectAt(raw, 'body'),
      };
    default:
      throw new Error(`no change is called ${String(raw['kind'])}`);
  }
}
